import type { classroomSession } from '@classroom/contracts';
import { ROUTES } from './routes.js';
import { recall, remember } from './token.js';
import { Refusal, type RefusalCode } from './refusal.js';

export type ClassroomSession = ReturnType<typeof classroomSession.parse>;
export { Refusal };

interface Answer<T> {
  data?: T;
  error?: RefusalCode;
  details?: Refusal['details'];
}

const TIMEOUT_MS = 10_000;
/** A session younger than this, in milliseconds, is used to join without renewing it. */
const FRESH_MS = 60_000;

/** The page's classroom session: opened with the join token, then renewed with the classroom token. */
export class SessionClient {
  current: ClassroomSession | undefined;
  private openedAt = 0;
  private isTrusted = false;
  /** The server's clock minus this device's, in milliseconds, so that elapsed times do not depend on the device's clock. */
  private clockOffset = 0;

  constructor(private readonly joinToken: string) {}

  now(): number {
    return Date.now() + this.clockOffset;
  }

  /**
   * Opens a session when the user opens the page or presses a button. If the classroom token is no longer valid, it uses the
   * link's join token, which replaces this participant's other pages.
   * @throws Refusal
   */
  async open(): Promise<ClassroomSession> {
    if (this.current && this.isTrusted && Date.now() - this.openedAt < FRESH_MS) return this.current;
    const kept = this.current?.classroomToken ?? recall(this.joinToken);
    if (!kept) return this.request(this.joinToken);
    try {
      return await this.request(kept);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'UNAUTHORIZED') return this.request(this.joinToken);
      throw error;
    }
  }

  /** Renews the session without an action of the user. It never replaces a newer page's session. @throws Refusal */
  renew(): Promise<ClassroomSession> {
    return this.request(this.current?.classroomToken ?? this.joinToken);
  }

  /** Marks the current session as outdated, so that the next `open` asks the service. */
  distrust(): void {
    this.isTrusted = false;
  }

  /** Half of the classroom token's lifetime, counted from its issue, in milliseconds; 0 without a session. */
  get halfLife(): number {
    return this.current ? (Date.parse(this.current.expiresAt) - this.openedAt - this.clockOffset) / 2 : 0;
  }

  /** Calls the service and returns the envelope's data. A bound function, so it can be passed on. `route`: `GET /v1/…`. @throws Refusal */
  readonly call = <T>(route: string, body?: unknown): Promise<T> =>
    this.fetch<T>(route, this.current?.classroomToken ?? this.joinToken, body);

  private async request(token: string): Promise<ClassroomSession> {
    this.current = await this.fetch<ClassroomSession>(ROUTES.openClassroomSession, token);
    this.openedAt = Date.now();
    this.isTrusted = true;
    remember(this.joinToken, this.current.classroomToken);
    return this.current;
  }

  /** Requests an answer that is read while it arrives, until `signal` aborts. A bound function as well. @throws Refusal */
  readonly stream = async (route: string, body: unknown, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
    const response = await this.send(route, this.current?.classroomToken ?? this.joinToken, body, signal);
    if (response.ok && response.body) return response.body;
    throw refusalOf(response, await this.read(response));
  };

  private async fetch<T>(route: string, token: string, body?: unknown): Promise<T> {
    const response = await this.send(route, token, body, AbortSignal.timeout(TIMEOUT_MS));
    const answer = await this.read<T>(response);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.clockOffset = date - Date.now();
    if (response.ok) return answer.data as T;
    throw refusalOf(response, answer);
  }

  private async send(route: string, token: string, body: unknown, signal: AbortSignal): Promise<Response> {
    const [method, path = ''] = route.split(' ');
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    return fetch(path, { method, headers, body: JSON.stringify(body), signal }).catch(unanswered);
  }

  private read<T>(response: Response): Promise<Answer<T>> {
    return (response.json() as Promise<Answer<T>>).catch(unanswered);
  }
}

function unanswered(cause: unknown): never {
  throw new Refusal('NO_ANSWER', null, [], { cause });
}

function refusalOf(response: Response, { error, details }: Answer<unknown>): Refusal {
  const code = error ?? (response.status < 500 ? 'VALIDATION_FAILED' : 'SERVICE_UNAVAILABLE');
  return new Refusal(code, response.headers.get('x-request-id'), details);
}

export type Call = SessionClient['call'];
