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
/** Younger than this, a session is taken into the room as it is. */
const FRESH_MS = 60_000;

/** This page's session with the service: opened by the join token, then carried on by the classroom token. */
export class SessionClient {
  current: ClassroomSession | undefined;
  private openedAt = 0;
  private isTrusted = false;
  /** Server's clock minus ours, in milliseconds: elapsed times don't depend on a device's clock. */
  private clockOffset = 0;

  constructor(private readonly joinToken: string) {}

  now(): number {
    return Date.now() + this.clockOffset;
  }

  /**
   * For a user's own gesture: a token that is no longer good enough falls back to the link's, which takes the place of
   * this participant's other pages. @throws Refusal
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

  /** Without a gesture: never takes the place of a newer page. @throws Refusal */
  renew(): Promise<ClassroomSession> {
    return this.request(this.current?.classroomToken ?? this.joinToken);
  }

  /** The present session is no more to be trusted; the next `open` asks. */
  distrust(): void {
    this.isTrusted = false;
  }

  /** Until half of the classroom token's life is over, from its issue, in milliseconds. */
  get halfLife(): number {
    return this.current ? (Date.parse(this.current.expiresAt) - this.openedAt - this.clockOffset) / 2 : 0;
  }

  /** Answers the envelope's data; can be handed on without its object. `route`: `GET /v1/…`. @throws Refusal */
  readonly call = <T>(route: string, body?: unknown): Promise<T> =>
    this.fetch<T>(route, this.current?.classroomToken ?? this.joinToken, body);

  private async request(token: string): Promise<ClassroomSession> {
    this.current = await this.fetch<ClassroomSession>(ROUTES.openClassroomSession, token);
    this.openedAt = Date.now();
    this.isTrusted = true;
    remember(this.joinToken, this.current.classroomToken);
    return this.current;
  }

  /** An answer to be read as it comes, for as long as `signal` lets it; can be handed on as well. @throws Refusal */
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
