import { ROUTES, type Operations } from './schema.js';

/** A call of the API, by the name that the reference gives it. */
export type OperationId = keyof Operations;

/** What is passed to a call: `params` of its path, `query`, `body`. */
export type Input<O extends OperationId> = Omit<Operations[O], 'answer'>;

type Part<O extends OperationId, P extends string> = Operations[O] extends { [K in P]?: infer T } ? Exclude<T, undefined> : never;
export type Body<O extends OperationId> = Part<O, 'body'>;
export type Query<O extends OperationId> = Part<O, 'query'>;
/** A body whose `organizationId` may be left out where the client has it. */
export type Addressed<O extends OperationId> = Omit<Body<O>, 'organizationId'> & { organizationId?: string };

/** What a call resolves with: the `data` of its answer, or where that has none all of it. */
export type Data<O extends OperationId> = Operations[O]['answer'] extends { data: infer D } ? D : Omit<Operations[O]['answer'], 'success'>;

/** What a call is made of, whichever it is. */
export interface AnyInput {
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
}

/** @throws TypeError where a part of the path could not be told from another path */
export function routeOf(operation: OperationId, { params = {}, query = {} }: AnyInput): { method: string; path: string } {
  const [method = '', template = ''] = ROUTES[operation].split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return { method, path: search.size > 0 ? `${path}?${search}` : path };
}

/** Dots are resolved by every URL parser, written as %2E as well: `rooms.end('..')` would be another call. */
function segment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must not be ${value === '' ? 'empty' : value}`);
  return encodeURIComponent(value);
}

/** The data of an answer in its envelope; one without an envelope as it is. */
export function unwrapped(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('data' in answer) return answer.data;
  const { success: _, ...rest } = answer as { success?: unknown };
  return rest;
}
