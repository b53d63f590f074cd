import type { RpcContract, RpcInput, RpcOutput } from '@classroom/contracts';

const HANDLED = Symbol('handled contract');

/**
 * Answers an operation or an RPC of this service: `@Handles(joinRoom) execute(input: RpcInput<typeof joinRoom>) {…}`, on any
 * provider. The input is validated. A declared error is returned; any other is logged and answered as INTERNAL_ERROR.
 */
export function Handles<C extends RpcContract>(contract: C) {
  return (_target: object, key: string, { value: method }: { value?: (input: RpcInput<C>) => Promise<RpcOutput<C>> }): void => {
    if (!method) throw new Error(`${key} is not a method`);
    Reflect.defineMetadata(HANDLED, contract, method);
  };
}

/** The contract that a method answers; undefined if it answers none. */
export const handledBy = (method: object) => Reflect.getMetadata(HANDLED, method) as RpcContract | undefined;
