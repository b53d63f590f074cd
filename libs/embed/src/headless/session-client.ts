import { ClassroomRefusal } from './refusal.js';
import type { ClassroomSession, ClassUpdate, ErrorBody } from './responses.js';

const TIMEOUT_MS = 10_000;
const MIN_RENEWAL_MS = 30_000;
const MAX_RENEWAL_MS = 30 * 60_000;

export interface SessionOptions {
  /** Base URL of the service, without a path: `https://api.classroom.example`. */
  gatewayUrl: string;
  /** The `token` of a join. */
  token: string;
}

/** A participant's classroom session: opened with the join token, renewed with the classroom token. */
export class SessionClient {
  current: ClassroomSession | undefined;
  private clockOffset = 0;

  constructor(private readonly options: SessionOptions) {}

  /** Opens a session, which replaces this participant's other sessions. @throws ClassroomRefusal */
  open(): Promise<ClassroomSession> {
    return this.request(this.options.token);
  }

  /** Renews the session. It never replaces a newer one. @throws ClassroomRefusal */
  renew(): Promise<ClassroomSession> {
    return this.request(this.current?.classroomToken ?? this.options.token);
  }

  /** What changed in the class state after a version. @throws ClassroomRefusal */
  state(after: number): Promise<ClassUpdate> {
    return this.call<ClassUpdate>('GET', `/v1/classroom/state?after=${after}`, this.current?.classroomToken ?? this.options.token);
  }

  /** Milliseconds from now until half of the classroom token's remaining lifetime has passed; at least 30 s and at most 30 minutes. */
  get renewAfterMs(): number {
    const left = this.current ? Date.parse(this.current.expiresAt) - Date.now() - this.clockOffset : 0;
    return Math.min(Math.max(left / 2, MIN_RENEWAL_MS), MAX_RENEWAL_MS);
  }

  private async request(token: string): Promise<ClassroomSession> {
    const session = await this.call<ClassroomSession>('POST', '/v1/classroom/session', token);
    // The app asks GET /v1/classroom/admission, and connects again when the participant is admitted.
    if (session.admission) throw new ClassroomRefusal('ADMISSION_REQUIRED', 'the participant is in the waiting room');
    // The app asks, answers with POST /v1/classroom/consent, and connects again.
    if (session.livekitToken === '') throw new ClassroomRefusal('CONSENT_REQUIRED', 'the class asks for consent before the join');
    return (this.current = session);
  }

  private async call<T>(method: string, path: string, token: string): Promise<T> {
    let response: Response;
    let body: { data?: T } & Partial<ErrorBody>;
    try {
      const headers = { authorization: `Bearer ${token}` };
      response = await fetch(new URL(path, this.options.gatewayUrl), { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      body = (await response.json()) as typeof body;
    } catch (cause) {
      throw new ClassroomRefusal('NO_ANSWER', 'the service could not be reached', null, undefined, { cause });
    }
    // Browsers hide this header from other origins unless the service exposes it. The client then relies on its own clock.
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.clockOffset = date - Date.now();
    if (response.ok) return body.data as T;
    const code = body.error ?? (response.status < 500 ? 'VALIDATION_FAILED' : 'SERVICE_UNAVAILABLE');
    const reason = body.details?.find(({ path }) => path === 'reason')?.message;
    throw new ClassroomRefusal(code, body.message ?? code, response.headers.get('x-request-id'), reason);
  }
}
