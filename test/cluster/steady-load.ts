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
    const join = { method: 'POST', path: `/v1/room/${this.roomId}/join`, body: { participant: person('student', 'STUDENT') } };
    const read = [
      `/v1/room/${this.roomId}/status`,
      '/v1/billing/balance',
      '/v1/rooms',
      '/v1/cdn/videos',
      `/v1/room/${this.roomId}/recordings`,
    ];
    const calls = [join, ...read.map((path) => ({ method: 'GET', path }))];
    for (let n = 0; this.isRunning; n += 1) {
      const call = calls[n % calls.length] ?? join;
      const fail = (what: string) => this.failures.push(`${new Date().toISOString()} ${call.method} ${call.path}: ${what}`);
      this.requests += 1;
      try {
        const { status, text } = await this.api.call(call);
        if (status !== 200) fail(`${status} ${text.slice(0, 200)}`);
      } catch (error) {
        fail(String((error as Error).cause ?? error));
      }
      await sleep(PAUSE_MS);
    }
  }
}
