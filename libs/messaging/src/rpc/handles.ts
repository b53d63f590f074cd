import type { RpcContract, RpcInput, RpcOutput } from '@classroom/contracts';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

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

export type Method = (...given: never[]) => unknown;

/** All marked methods of all providers, bound to their instance. */
export function* markedMethods<M>(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  markOf: (method: Method) => M | undefined,
): Generator<{ mark: M; method: Method }> {
  // The same instance may be provided under several names.
  const instances = new Set(discovery.getProviders().map(({ instance }) => instance as unknown));
  for (const instance of instances) {
    if (typeof instance !== 'object' || instance === null) continue;
    for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const method = (instance as Record<string, Method>)[name];
      const mark = method && markOf(method);
      if (method && mark) yield { mark, method: method.bind(instance) };
    }
  }
}
