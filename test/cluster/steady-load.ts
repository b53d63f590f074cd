import { type ApiClient, newRoom, person, sleep } from '@classroom/testing';

const CALLERS = 4;
const PAUSE_MS = 100;

/** Backends that create rooms, let people join and ask for the status, without a pause while the system changes. */
export class SteadyLoad {
  requests = 0;
  readonly failures: string[] = [];
  private isRunning = true;
  private readonly callers: Promise<void>[];

  private constructor(
    private readonly api: ApiClient,
    private readonly roomId: string,
  ) {
    this.callers = Array.from({ length: CALLERS }, () => this.call());
  }

  static async start(api: ApiClient): Promise<SteadyLoad> {
    return new SteadyLoad(api, (await newRoom(api)).roomId);
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.callers);
  }

  private async call(): Promise<void> {
    const calls = [
      () => this.api.get(`/v1/room/${this.roomId}/status`),
      () => this.api.post(`/v1/room/${this.roomId}/join`, { participant: person('student', 'STUDENT') }),
      () => this.api.get('/v1/billing/balance'),
      () => this.api.get('/v1/rooms'),
      () => this.api.get('/v1/cdn/videos'),
      () => this.api.get(`/v1/room/${this.roomId}/recordings`),
    ];
    for (let n = 0; this.isRunning; n += 1) {
      this.requests += 1;
      try {
        const answer = await calls[n % calls.length]?.();
        if (answer?.status !== 200) this.failures.push(`${new Date().toISOString()} ${answer?.status} ${answer?.text.slice(0, 200)}`);
      } catch (error) {
        this.failures.push(`${new Date().toISOString()} ${String((error as Error).cause ?? error)}`);
      }
      await sleep(PAUSE_MS);
    }
  }
}
