import type { classroomSession, ErrorCode } from '@classroom/contracts';

export type ClassroomSession = ReturnType<typeof classroomSession.parse>;

const TIMEOUT_MS = 10_000;
/** Younger than this, a session is taken into the room as it is. */
const FRESH_MS = 60_000;

/** What the service answered instead of what we asked for; NO_ANSWER where it could not be reached. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode | 'NO_ANSWER',
    readonly requestId: string | null = null,
    options?: ErrorOptions,
  ) {
    super(code, options);
  }

  /** Whether trying again in a moment may help. */
  get isPassing(): boolean {
    return ['NO_ANSWER', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'].includes(this.code);
  }
}

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

  /** @throws Refusal */
  async endClass(): Promise<void> {
    await this.post('/v1/classroom/end', this.current?.classroomToken ?? this.joinToken);
  }

  private async request(token: string): Promise<ClassroomSession> {
    this.current = (await this.post('/v1/classroom/session', token)) as ClassroomSession;
    this.openedAt = Date.now();
    this.isTrusted = true;
    remember(this.joinToken, this.current.classroomToken);
    return this.current;
  }

  private async post(path: string, token: string): Promise<unknown> {
    let response: Response;
    let body: { data?: unknown; error?: ErrorCode } | undefined;
    try {
      const headers = { authorization: `Bearer ${token}` };
      response = await fetch(path, { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      body = await response.json();
    } catch (cause) {
      throw new Refusal('NO_ANSWER', null, { cause });
    }
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.clockOffset = date - Date.now();
    if (response.ok) return body?.data;
    const code = body?.error ?? (response.status < 500 ? 'VALIDATION_FAILED' : 'SERVICE_UNAVAILABLE');
    throw new Refusal(code, response.headers.get('x-request-id'));
  }
}

/** Whether a token's own words say that its time is over; its signature is the server's business. */
export function isOver(token: string, now: number): boolean {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number };
    return exp !== undefined && exp * 1000 <= now;
  } catch {
    return false;
  }
}

const KEY = 'classroom';

/** For a reload after the join token has run out. Storage may be denied to a framed page. */
function remember(joinToken: string, classroomToken: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ joinToken, classroomToken }));
  } catch {}
}

function recall(joinToken: string): string | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { joinToken?: string; classroomToken?: string };
    return kept.joinToken === joinToken ? kept.classroomToken : undefined;
  } catch {
    return undefined;
  }
}
