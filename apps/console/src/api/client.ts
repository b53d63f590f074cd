import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import { createApi, type Call } from '@classroom/page/typed-calls';
import { Credentials } from './credentials.js';
import { ROUTES } from './routes.js';

const TIMEOUT_MS = 15_000;
/** For a file, which may be long. */
const FILE_TIMEOUT_MS = 300_000;

interface Answer<T> {
  data?: T;
  error?: ApiErrorCode;
  message?: string;
  details?: ApiError['details'];
}

export const credentials = new Credentials(sessionStorage);

async function request(route: string, body?: unknown, headers: Record<string, string> = {}, timeoutMs = TIMEOUT_MS): Promise<Response> {
  const [method, path = ''] = route.split(' ');
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(path, {
    method,
    headers: { ...credentials.headersFor(path), ...type, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(throwNoAnswer);
  if (response.status === 401) credentials.refused(path);
  return response;
}

/** @throws ApiError */
export async function send<T>(route: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
  const response = await request(route, body, headers);
  const answer = (await response.json().catch(throwNoAnswer)) as Answer<T>;
  if (response.ok) return answer.data as T;
  throw toError(response, answer);
}

/** Loads a file, which a link cannot: its request needs the credential. @throws ApiError */
export async function load(path: string): Promise<Blob> {
  const response = await request(`GET ${path}`, undefined, {}, FILE_TIMEOUT_MS);
  if (!response.ok) throw toError(response, (await response.json().catch(throwNoAnswer)) as Answer<unknown>);
  return response.blob().catch(throwNoAnswer);
}

/** Saves a file. @throws ApiError */
export async function download(path: string, name: string): Promise<void> {
  const file = await load(path);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const call: Call = (route, body) => send(route, body);

/** The operations of staff and operators, named as in the API reference. Each call rejects with an ApiError. */
export const api = createApi(ROUTES, call);

function toError(response: Response, { error, details }: Answer<unknown>): ApiError {
  return new ApiError(error ?? 'SERVICE_UNAVAILABLE', response.headers.get('x-request-id'), details);
}

function throwNoAnswer(cause: unknown): never {
  throw new ApiError('NO_ANSWER', null, [], { cause });
}
