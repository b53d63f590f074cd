import type { classroomSession } from '@classroom/contracts';
import { ROUTES } from './routes.js';
import { loadClassroomToken, storeClassroomToken } from './tokens.js';
import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import { createApi, type ApiOf, type InputOf } from '@classroom/page/typed-calls';

export type ClassroomSession = ReturnType<typeof classroomSession.parse>;
export { ApiError };

interface Answer<T> {
  data?: T;
  error?: ApiErrorCode;
  details?: ApiError['details'];
}

const TIMEOUT_MS = 10_000;
/** A session younger than this, in milliseconds, is used to join without renewing it. */
const REUSE_MS = 60_000;

/** The page's classroom session: opened with the join token, then renewed with the classroom token. */
export class SessionClient {
  current: ClassroomSession | undefined;
  private openedAt = 0;
  private isFresh = false;
  /** The server's clock minus this device's, in milliseconds, so that elapsed times do not depend on the device's clock. */
  private clockOffset = 0;

  constructor(private readonly joinToken: string) {}

  now(): number {
    return Date.now() + this.clockOffset;
  }

  /**
   * Opens a session when the user opens the page or presses a button. If the classroom token is no longer valid, it uses the
   * link's join token, which replaces this participant's other pages.
   * @throws ApiError
   */
  async open(): Promise<ClassroomSession> {
    if (this.current && this.isFresh && Date.now() - this.openedAt < REUSE_MS) return this.current;
    const storedToken = this.current?.classroomToken ?? loadClassroomToken(this.joinToken);
    if (!storedToken) return this.request(this.joinToken);
    try {
      return await this.request(storedToken);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return this.request(this.joinToken);
      throw error;
    }
  }

  /** Renews the session without an action of the user. It never replaces a newer page's session. @throws ApiError */
  renew(): Promise<ClassroomSession> {
    return this.request(this.current?.classroomToken ?? this.joinToken);
  }

  /** Marks the current session as outdated, so that the next `open` asks the service. */
  invalidate(): void {
    this.isFresh = false;
  }

  /** Half of the classroom token's lifetime, counted from its issue, in milliseconds; 0 without a session. */
  get renewAfterMs(): number {
    return this.current ? (Date.parse(this.current.expiresAt) - this.openedAt - this.clockOffset) / 2 : 0;
  }

  /**
   * Calls the service and returns the envelope's data. A bound function, so it can be passed on. `route`: `GET /v1/…`.
   * @param keepalive whether the call continues when the page is closed; its body must then be small
   * @throws ApiError
   */
  readonly call = <T>(route: string, body?: unknown, keepalive?: boolean): Promise<T> =>
    this.fetch<T>(route, this.current?.classroomToken ?? this.joinToken, body, keepalive);

  private async request(token: string): Promise<ClassroomSession> {
    this.current = await this.fetch<ClassroomSession>(ROUTES.openClassroomSession, token);
    this.openedAt = Date.now();
    this.isFresh = true;
    storeClassroomToken(this.joinToken, this.current.classroomToken);
    return this.current;
  }

  /** Requests an answer that is read while it arrives, until `signal` aborts. A bound function as well. @throws ApiError */
  readonly stream = async (route: string, body: unknown, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
    const response = await this.send(route, this.current?.classroomToken ?? this.joinToken, body, signal);
    if (response.ok && response.body) return response.body;
    throw toApiError(response, await this.read(response));
  };

  private async fetch<T>(route: string, token: string, body?: unknown, keepalive = false): Promise<T> {
    const response = await this.send(route, token, body, AbortSignal.timeout(TIMEOUT_MS), keepalive);
    const answer = await this.read<T>(response);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.clockOffset = date - Date.now();
    if (response.ok) return answer.data as T;
    throw toApiError(response, answer);
  }

  private async send(route: string, token: string, body: unknown, signal: AbortSignal, keepalive = false): Promise<Response> {
    const [method, path = ''] = route.split(' ');
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    return fetch(path, { method, headers, body: JSON.stringify(body), signal, keepalive }).catch(throwNoAnswer);
  }

  private read<T>(response: Response): Promise<Answer<T>> {
    return (response.json() as Promise<Answer<T>>).catch(throwNoAnswer);
  }
}

function throwNoAnswer(cause: unknown): never {
  throw new ApiError('NO_ANSWER', null, [], { cause });
}

function toApiError(response: Response, { error, details }: Answer<unknown>): ApiError {
  const code = error ?? (response.status < 500 ? 'VALIDATION_FAILED' : 'SERVICE_UNAVAILABLE');
  return new ApiError(code, response.headers.get('x-request-id'), details);
}

export type Call = SessionClient['call'];

const RETRY_MS = 15_000;
/** The longest delay of a browser timer, in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Renews the classroom token while in class, at half of its lifetime. */
export class SessionRenewal {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly sessions: SessionClient,
    private readonly onRejected: (error: ApiError) => void,
  ) {}

  start(delay = this.sessions.renewAfterMs): void {
    this.stop();
    const timer = setTimeout(() => void this.renew(() => timer === this.timer), Math.min(delay, MAX_DELAY_MS));
    this.timer = timer;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async renew(isCurrent: () => boolean): Promise<void> {
    try {
      await this.sessions.renew();
      if (isCurrent()) this.start();
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof ApiError && !error.isRetryable) this.onRejected(error);
      else this.start(RETRY_MS);
    }
  }
}

type Routes = keyof typeof ROUTES;

export type Input<K extends Routes> = InputOf<K>;
export type Emoji = Input<'sendReaction'>['emoji'];

/** The operations for participants in class, named as in the API reference. Each call rejects with an ApiError. */
export type ClassroomApi = ApiOf<Routes>;

export const createClassroomApi = (call: Call): ClassroomApi => createApi(ROUTES, call);
