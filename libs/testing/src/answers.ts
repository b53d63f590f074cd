import type * as contracts from '@classroom/contracts';

/** Every declared endpoint: its routes and the JSON body of a 200. */
type Served = ServedBy<(typeof contracts)[keyof typeof contracts]>;
type ServedBy<E> = E extends { readonly served?: infer S } ? Exclude<S, undefined> : never;

/** The same, one row for each route. */
type Row = RowOf<Served>;
type RowOf<S> = S extends { route: infer Route; answer: infer A } ? RowAt<Route, A> : never;
type RowAt<Route, A> = Route extends string ? { pattern: Pattern<Segments<Route>>; answer: A } : never;

/** `GET /v1/rooms/RM_1?limit=2` becomes `['GET ', 'v1', 'rooms', 'RM_1']`. */
type Segments<Route extends string> = Route extends `${infer Path}?${string}`
  ? Segments<Path>
  : Route extends `${infer First}/${infer Rest}`
    ? [First, ...Segments<Rest>]
    : [Route];
type Pattern<S extends string[]> = { [K in keyof S]: S[K] extends `:${string}` ? string : S[K] };

type Found<S, R = Row> = R extends { pattern: infer P; answer: infer A } ? (S extends P ? A : never) : never;

/** The query of a path, for functions that take it: the compiler then knows the route. */
export type Query = '' | `?${string}`;

/** What a refusal has. */
interface Refusal {
  success: boolean;
  message: string;
  error: string;
  requestId: string;
  details: { path: string; message: string }[];
}
type KeyOf<U> = U extends unknown ? keyof U : never;
type FieldOf<U, K> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;
/** The fields of each kind of a union: a balance is read as PREPAID by a test that made it so. */
type Any<U> = [U] extends [object] ? ([U] extends [readonly unknown[]] ? U : { [K in KeyOf<U>]: FieldOf<U, K> }) : U;

type Body<A> = Refusal &
  Omit<A, keyof Refusal | 'data'> & { data: [A] extends [never] ? unknown : A extends { data: infer D } ? Any<D> : unknown };

/**
 * The body of an answer as a test reads it: by the contract of the route, and also as a refusal, because the test asserts which it is. `data` is
 * unknown where no endpoint is declared, or where the compiler does not know the path.
 */
export type AnswerTo<Method extends string, Path extends string> = Body<Found<Segments<`${Method} ${Path}`>>>;
