import type { ConnectAnswer } from '../livekit/simulator/http.js';

/** The people of the simulated LiveKit. */
export class Robots {
  constructor(private readonly livekitUrl: string) {}

  /** @param tokens LiveKit tokens, as a session or a join answers them */
  join = (tokens: readonly string[]): Promise<ConnectAnswer[]> =>
    this.call(
      'connect-many',
      tokens.map((token) => ({ token })),
    );

  /** @param connections as `join` returned them */
  leave = (connections: readonly string[]): Promise<void> => this.call('leave-many', connections);

  /** Announces a camera and a microphone, without a picture or a sound in them. */
  async speak(connection: string): Promise<void> {
    await this.call('publish', { sid: connection, name: 'camera', type: 'VIDEO', source: 'CAMERA' });
    await this.call('publish', { sid: connection, name: 'microphone', type: 'AUDIO', source: 'MICROPHONE' });
  }

  moveTo = (now: string): Promise<void> => this.call('clock', { now });

  private async call<T>(path: string, body: unknown): Promise<T> {
    const answer = await fetch(`${this.livekitUrl}/sim/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`LiveKit refused ${path}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}
