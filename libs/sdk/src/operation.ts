import { ROUTES, type Operations } from './schema.js';

/** The name of an API operation, as in the reference. */
export type OperationId = keyof Operations;

/** The arguments of an operation: `params` of its path, `query`, `body`. */
export type Input<O extends OperationId> = Omit<Operations[O], 'answer'>;

type Part<O extends OperationId, P extends string> = Operations[O] extends { [K in P]?: infer T } ? Exclude<T, undefined> : never;
export type Body<O extends OperationId> = Part<O, 'body'>;
export type Query<O extends OperationId> = Part<O, 'query'>;
/** A body that may omit `organizationId` if the client has it. */
export type Addressed<O extends OperationId> = Omit<Body<O>, 'organizationId'> & { organizationId?: string };

/** What a call resolves with: the `data` of its answer, or the fields of an answer that has no `data`. */
export type Data<O extends OperationId> = Operations[O]['answer'] extends { data: infer D }
  ? D
  : Omit<Operations[O]['answer'], 'success' | 'warnings'>;

/** The arguments of any operation. */
export interface AnyInput {
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
}

/** @throws TypeError if a path parameter is empty, `.` or `..` and would lead to another path */
export function routeOf(operation: OperationId, { params = {}, query = {} }: AnyInput): { method: string; path: string } {
  const [method = '', template = ''] = ROUTES[operation].split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return { method, path: search.size > 0 ? `${path}?${search}` : path };
}

/** Every URL parser resolves dots, even if written as %2E: `rooms.end('..')` would call another operation. */
function encodeSegment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must not be ${value === '' ? 'empty' : value}`);
  return encodeURIComponent(value);
}

/** The `data` of an answer in its envelope; an answer without `data` is returned without the fields of the envelope. */
export function unwrap(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('data' in answer) return answer.data;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'success' && name !== 'warnings'));
}
