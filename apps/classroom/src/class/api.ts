import type { Call } from '../session/session.js';
import { ROUTES } from '../session/routes.js';

type Contracts = typeof import('@classroom/contracts');
type Routes = typeof ROUTES;
interface Schema {
  _zod: { input: unknown; output: unknown };
}
type In<S extends Schema> = S['_zod']['input'];
type Out<S extends Schema> = S['_zod']['output'];

/** A query is written as what the service reads it as: a number is one, though anything else is text. */
type Asked<S extends Schema> = { [F in keyof In<S>]: F extends keyof Out<S> ? Out<S>[F] : never };
type Args<I> = keyof I extends never ? [] : Partial<I> extends I ? [input?: I] : [input: I];
/** The `data` of an answer; never where it is a stream. */
type Data<E> = E extends { output: infer O extends Schema }
  ? Out<O>
  : E extends { response: { _zod: { output: { data: infer D } } } }
    ? D
    : never;

/** What a call takes of path, query and body, in one object. */
export type Input<K extends keyof Routes> = In<Contracts[K]['params']> & Asked<Contracts[K]['query']> & In<Contracts[K]['body']>;
export type Emoji = Input<'sendReaction'>['emoji'];

/** What a participant may ask of the service in class, by the names of the reference. Each rejects with a Refusal. */
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
