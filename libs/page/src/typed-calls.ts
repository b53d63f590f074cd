import type { ErrorCode } from '@classroom/contracts';

type Contracts = typeof import('@classroom/contracts');
interface Schema {
  _zod: { input: unknown; output: unknown };
}
type In<S extends Schema> = S['_zod']['input'];
type Out<S extends Schema> = S['_zod']['output'];

/** The type of a query: the values that the service parses, such as a number, instead of their text form. */
type ParsedQuery<S extends Schema> = { [F in keyof In<S>]: F extends keyof Out<S> ? Out<S>[F] : never };
type Args<I> = keyof I extends never ? [] : Partial<I> extends I ? [input?: I] : [input: I];

/** Sends a request and returns the `data` of its answer. `route`: `GET /v1/…`. */
export type Call = <T>(route: string, body?: unknown) => Promise<T>;

/** The names of what the contracts declare. */
type Declared = keyof {
  [K in keyof Contracts as Contracts[K] extends { operationId: string } ? K : never]: K;
};

/** The names of operations. `…ForOrganization` is the form for operators, `…InClass` that for participants. */
export type OperationId = Declared | `${Declared}ForOrganization` | `${Declared}InClass`;
type DeclaredOf<K extends OperationId> = K extends Declared
  ? K
  : K extends `${infer D extends Declared}${'ForOrganization' | 'InClass'}`
    ? D
    : never;

/** The `data` of an answer; never for a stream. */
export type DataOf<K extends OperationId> = Contracts[DeclaredOf<K>] extends { output: infer O extends Schema }
  ? Out<O>
  : Contracts[DeclaredOf<K>] extends { response: { _zod: { output: { data: infer D } } } }
    ? D
    : never;

type DeclaredInput<K extends Declared> = Contracts[K] extends {
  params: infer P extends Schema;
  query: infer Q extends Schema;
  body: infer B extends Schema;
}
  ? In<P> & ParsedQuery<Q> & In<B>
  : never;

/** The arguments of a call: path parameters, query and body in one object. */
export type InputOf<K extends OperationId> = K extends Declared
  ? DeclaredInput<K>
  : K extends `${string}InClass`
    ? Omit<DeclaredInput<DeclaredOf<K>>, 'roomId'>
    : DeclaredInput<DeclaredOf<K>> & { organizationId: string };

/** A method for each operation with an answer that is read as a whole. */
export type ApiOf<K extends OperationId> = {
  [O in K as [DataOf<O>] extends [never] ? never : O]: (...args: Args<InputOf<O>>) => Promise<DataOf<O>>;
};

/** @param routes method and path of each operation, by its name */
export function createApi<K extends OperationId>(routes: Readonly<Record<K, string>>, call: Call): ApiOf<K> {
  const calls = Object.entries<string>(routes).map(([id, route]) => [id, (input?: object) => call(...requestOf(route, input))]);
  return Object.fromEntries(calls) as ApiOf<K>;
}

function requestOf(route: string, input: object = {}): [route: string, body?: object] {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  if (rest.size === 0) return [filled];
  return route.startsWith('GET ') ? [`${filled}?${new URLSearchParams([...rest])}`] : [filled, Object.fromEntries(rest)];
}

export type ApiErrorCode = ErrorCode | 'NO_ANSWER';

/** The service refused a request, or is unreachable (code NO_ANSWER). */
export class ApiError extends Error {
  constructor(
    readonly code: ApiErrorCode,
    readonly requestId: string | null = null,
    readonly details: readonly { path: string; message: string }[] = [],
    options?: ErrorOptions,
  ) {
    super(code, options);
  }

  /** Whether a retry may succeed. */
  get isRetryable(): boolean {
    return ['NO_ANSWER', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'].includes(this.code);
  }

  /** The message about one part of the request or answer, such as why a class ended (`reason`). */
  detail(path: string): string | undefined {
    return this.details.find((detail) => detail.path === path)?.message;
  }
}
