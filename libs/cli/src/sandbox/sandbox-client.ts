import { CommandError } from '../io.js';

/** Where the sandbox of `npm start -- --sandbox` listens, unless its ports were changed. */
export const DEFAULT_URL = 'http://127.0.0.1:31546';

/** What the services have not done yet at a time on the way. */
export interface Progress {
  now: string;
  waiting: string[];
}

interface Line extends Partial<Progress> {
  done?: boolean;
  error?: string;
}

/** The clock and the robots of a sandbox. They are part of no production. */
export class SandboxClient {
  constructor(private readonly url: string) {}

  async now(): Promise<Date> {
    return new Date((await this.call<{ now: string }>('GET', '/clock')).now);
  }

  /** Moves the clock at once, without a look at what has become due. */
  async move(to: Date): Promise<void> {
    await this.call('POST', '/clock/move', { to: to.toISOString() });
  }

  /** Moves the clock through every deadline on the way. @param report is called for each look at the services */
  async advance(to: Date, report: (progress: Progress) => void = () => undefined): Promise<Date> {
    const response = await this.request('POST', '/clock/advance', { to: to.toISOString() });
    let rest = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { now = '', waiting = [], done, error } = JSON.parse(line) as Line;
        if (error !== undefined)
          throw new CommandError(error, 'See the logs of the services, and advance again: the clock keeps its time.');
        if (done) return new Date(now);
        report({ now, waiting });
      }
    }
    throw new CommandError('The sandbox ended while its clock moved', 'Look at the terminal of npm start -- --sandbox.');
  }

  /** @param tokens of LiveKit, as a join answers them @returns the id of each connection */
  async join(tokens: readonly string[]): Promise<string[]> {
    return (await this.call<{ sid: string }[]>('POST', '/robots/join', { tokens })).map(({ sid }) => sid);
  }

  async leave(connections: readonly string[]): Promise<void> {
    await this.call('POST', '/robots/leave', { connections });
  }

  async speak(connections: readonly string[]): Promise<void> {
    await this.call('POST', '/robots/speak', { connections });
  }

  events(): Promise<{ type: string; description: string }[]> {
    return this.call('GET', '/events');
  }

  async sendExample(type: string, endpointIds: readonly string[]): Promise<void> {
    await this.call('POST', '/events', { type, endpointIds });
  }

  /** A postpaid organization with a monthly bill. @returns its credential */
  async newOrganization(name: string, cycleStartDate: Date): Promise<{ url: string; credential: string }> {
    return this.call('POST', '/organizations', { name, cycleStartDate: cycleStartDate.toISOString() });
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await (await this.request(method, path, body)).json()) as T;
  }

  private async request(method: string, path: string, body?: unknown): Promise<Response> {
    const init = { method, headers: { 'content-type': 'application/json' }, body: body === undefined ? null : JSON.stringify(body) };
    const response = await fetch(`${this.url}${path}`, init).catch((cause: unknown) => {
      const error = new CommandError(
        `There is no sandbox at ${this.url}`,
        'Start one with: npm start -- --sandbox. It prints its address: give it with --sandbox-url or VC_SANDBOX_URL.',
      );
      error.cause = cause;
      throw error;
    });
    if (response.ok) return response;
    const { error = `HTTP ${response.status}` } = (await response.json().catch(() => ({}))) as { error?: string };
    throw new CommandError(error, 'See vc sandbox --help.');
  }
}
