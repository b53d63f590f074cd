import type { Call } from '../session/session.js';
import { ROUTES } from '../session/routes.js';

type Contracts = typeof import('@classroom/contracts');
type Routes = typeof ROUTES;
interface Schema {
  _zod: { input: unknown; output: unknown };
}
type In<S extends Schema> = S['_zod']['input'];
type Out<S extends Schema> = S['_zod']['output'];

/** The type of a query: the values that the service parses, such as a number, instead of their text form. */
type ParsedQuery<S extends Schema> = { [F in keyof In<S>]: F extends keyof Out<S> ? Out<S>[F] : never };
type Args<I> = keyof I extends never ? [] : Partial<I> extends I ? [input?: I] : [input: I];
/** The `data` of an answer; never for a stream. */
type Data<E> = E extends { output: infer O extends Schema }
  ? Out<O>
  : E extends { response: { _zod: { output: { data: infer D } } } }
    ? D
    : never;

/** The arguments of a call: path parameters, query and body in one object. */
export type Input<K extends keyof Routes> = In<Contracts[K]['params']> & ParsedQuery<Contracts[K]['query']> & In<Contracts[K]['body']>;
export type Emoji = Input<'sendReaction'>['emoji'];

/** The operations for participants in class, named as in the API reference. Each call rejects with an ApiError. */
export type ClassroomApi = {
  [K in keyof Routes as [Data<Contracts[K]>] extends [never] ? never : K]: (...args: Args<Input<K>>) => Promise<Data<Contracts[K]>>;
};

export function createClassroomApi(call: Call): ClassroomApi {
  const calls = Object.entries(ROUTES).map(([id, route]) => [id, (input?: object) => call(...requestOf(route, input))]);
  return Object.fromEntries(calls) as ClassroomApi;
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
