import { CommandError } from '../io.js';

/** What a class page gets for its join token. */
export interface PageSession {
  livekitUrl: string;
  /** Empty while the participant may not connect. */
  livekitToken: string;
  classroomToken: string;
  permissions: { publish: boolean; publishAudio?: boolean; publishVideo?: boolean };
  admission?: object;
  consent?: object;
}

/** The calls that a class page makes for its participant. @throws CommandError if the service refuses one */
export class ClassPage {
  /** @param url address of the service */
  constructor(private readonly url: string) {}

  /** @param token join token, or a classroom token to renew its session */
  session(token: string): Promise<PageSession> {
    return this.post('session', token);
  }

  async raiseHand(classroomToken: string): Promise<void> {
    await this.post('hand', classroomToken, { raised: true });
  }

  private async post<T>(path: string, token: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}/v1/classroom/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    });
    const answer = (await response.json()) as { data: T; message?: string };
    if (!response.ok) throw new CommandError(answer.message ?? `HTTP ${response.status}`, 'See the logs of gateway and room.');
    return answer.data;
  }
}
