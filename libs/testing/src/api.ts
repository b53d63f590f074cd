import { randomUUID } from 'node:crypto';
import type { AnswerTo } from './answers.js';
import type { RunningStack } from './running-stack.js';

export interface Answer<B = unknown> {
  status: number;
  headers: Headers;
  /** Undefined where the answer is not JSON: its type says what a test expects. */
  body: B;
  text: string;
}

interface Call<M extends string, P extends string> {
  method: M;
  path: P;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body that is not JSON; sent unchanged. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** Calls a stack's gateway over HTTP, as a backend developer would. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    private readonly headers: Record<string, string> = {},
  ) {}

  with(headers: Record<string, string>): ApiClient {
    return new ApiClient(this.baseUrl, { ...this.headers, ...headers });
  }

  /** A client for the same address with a participant's or dashboard's bearer token as the only credential. */
  bearer(token: string): ApiClient {
    return new ApiClient(this.baseUrl, { authorization: `Bearer ${token}` });
  }

  async call<const M extends string, const P extends string>({
    method,
    path,
    headers,
    body,
    raw,
  }: Call<M, P>): Promise<Answer<AnswerTo<M, P>>> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers, ...headers },
      ...(payload === undefined ? {} : { body: payload }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = isEndless(method, response) ? await beginningOf(response) : await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) as AnswerTo<M, P>, text };
  }

  get = <const P extends string>(path: P, headers?: Record<string, string>) =>
    this.call({ method: 'GET', path, ...(headers ? { headers } : {}) });
  post = <const P extends string>(path: P, body?: unknown, headers?: Record<string, string>) =>
    this.call({ method: 'POST', path, body, ...(headers ? { headers } : {}) });
  patch = <const P extends string>(path: P, body?: unknown) => this.call({ method: 'PATCH', path, body });
  put = <const P extends string>(path: P, body?: unknown) => this.call({ method: 'PUT', path, body });
  delete = <const P extends string>(path: P) => this.call({ method: 'DELETE', path });
}

/** A stream of events, which a GET answers, has no end. */
const isEndless = (method: string, { headers }: Response) => method === 'GET' && headers.get('content-type') === 'text/event-stream';

async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const part = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(part?.value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface NewOrganization {
  /** Its id in rows, events and operators' paths. */
  organizationId: string;
  /** The value of VF-ORG-ID. */
  value: string;
  /** A client with that value. */
  api: ApiClient;
}

/** Creates an organization, prepaid by default. */
export async function newOrganization(stack: RunningStack, overrides: object = {}): Promise<NewOrganization> {
  const answer = await adminApi(stack).post('/v1/admin/organizations', {
    name: 'Test school',
    billing: { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' },
    ...overrides,
  });
  if (answer.status !== 200) throw new Error(`no organization: ${answer.status} ${answer.text}`);
  const { id, organizationId: value } = answer.body.data;
  const organizationId = present(id);
  return { organizationId, value, api: new ApiClient(stack.urls.gateway, { 'VF-ORG-ID': value }) };
}

export const adminApi = (stack: RunningStack) =>
  new ApiClient(stack.urls.operators ?? stack.urls.gateway, { 'X-Dispatch-Secret': stack.secrets['dispatchSecret'] ?? '' });

/** @returns the value @throws if there is none */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('there is no value');
  return value;
}

/** @returns the first of a list @throws if it is empty */
export function first<T>(list: readonly T[]): T {
  if (list.length === 0) throw new Error('the list is empty');
  return list[0] as T;
}

export const person = (uid: string, role = 'TEACHER') => ({ uid, name: `Name of ${uid}`, role });

/**
 * Creates a room with a new id and returns the `data` of the answer.
 * @throws if the creation is refused
 */
export async function newRoom(
  api: ApiClient,
  overrides: object = {},
): Promise<{ roomId: string; sid: string; token: string; iframeUrl: string }> {
  const roomId = `room-${randomUUID()}`;
  const answer = await api.post('/v1/room/create', { roomId, title: 'Test class', participant: person('teacher'), ...overrides });
  if (answer.status !== 200) throw new Error(`no room: ${answer.status} ${answer.text}`);
  const { token, iframeUrl, room } = answer.body.data;
  return { roomId, sid: room.sid, token, iframeUrl };
}
