import { Agent, request } from 'node:http';
import { byForm, sleep } from '@classroom/testing';

export const PER_SECOND = byForm({ short: 12, long: 100 });
/**
 * Maximum number of requests in progress. A machine that can't sustain the full rate gets fewer: requests that wait for a CPU say nothing
 * about the restarted process.
 */
const MAX_IN_PROGRESS = 8;
/** Interval at which the balancer probes the gateways, in milliseconds. */
export const PROBE_EVERY_MS = 200;

/** Failed probes until a gateway gets no more requests, like the chart's readiness probe. A draining gateway is removed immediately. */
const MAX_REFUSALS = 3;

export interface Gateway {
  port: number;
  probePort: number;
}

/** Acts like a load balancer: it keeps connections alive, sends requests only to ready gateways, and retries none. */
export class Balancer {
  readonly failures: string[] = [];
  done = 0;
  inProgress = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 200 });
  private readonly ready = new Set<Gateway>();
  private readonly refusals = new Map<Gateway, number>();
  private readonly timer: NodeJS.Timeout;
  private turn = 0;

  constructor(private readonly gateways: Gateway[]) {
    this.timer = setInterval(() => void this.probeAll(), PROBE_EVERY_MS);
  }

  async probeAll(): Promise<void> {
    await Promise.all(
      this.gateways.map(async (gateway) => {
        const { ready = false, draining = false } = await probed(gateway);
        const refusals = ready ? 0 : (this.refusals.get(gateway) ?? 0) + 1;
        this.refusals.set(gateway, refusals);
        if (ready) this.ready.add(gateway);
        else if (draining || refusals >= MAX_REFUSALS) this.ready.delete(gateway);
      }),
    );
  }

  /** Counts any status but 200 as a failure, and also no answer within 40 s. */
  async send(method: string, path: string, value: string, body?: object): Promise<void> {
    const ready = [...this.ready];
    const gateway = ready[this.turn++ % ready.length];
    if (!gateway) return void this.failures.push(`${method} ${path}: no gateway is ready`);
    this.inProgress += 1;
    const outcome = await this.exchange(gateway, method, path, value, body).catch((error: unknown) => String(error));
    this.inProgress -= 1;
    if (outcome === undefined) this.done += 1;
    else this.failures.push(`${method} ${path} on ${gateway.port}: ${outcome}`);
  }

  /** @returns undefined if the request succeeded, otherwise what went wrong */
  private exchange(gateway: Gateway, method: string, path: string, value: string, body?: object): Promise<string | undefined> {
    const payload = body ? JSON.stringify(body) : undefined;
    const headers = {
      'vf-org-id': value,
      ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
    };
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: gateway.port, method, path, headers, agent: this.agent, timeout: 40_000 };
      const outgoing = request(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve(answer.statusCode === 200 ? undefined : `${answer.statusCode} ${text}`));
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }

  close(): void {
    clearInterval(this.timer);
    this.agent.destroy();
  }
}

/** A gateway that does not answer counts as draining. */
async function probed({ probePort }: Gateway): Promise<{ ready?: boolean; draining?: boolean }> {
  try {
    return (await (await fetch(`http://127.0.0.1:${probePort}/readyz`)).json()) as { ready?: boolean; draining?: boolean };
  } catch {
    return { draining: true };
  }
}

/** Sends the n-th request of a load through the balancer. */
export type Asking = (balancer: Balancer, n: number) => Promise<void>;

/**
 * Sends PER_SECOND requests per second, from half a second before `work` starts until half a second after it has ended. Each tick sends the
 * requests that are due. Requests that MAX_IN_PROGRESS held back are skipped, not sent later.
 */
export async function underLoad(gateways: Gateway[], ask: Asking, work: () => Promise<void>): Promise<Balancer> {
  const balancer = new Balancer(gateways);
  await balancer.probeAll();
  const sent: Promise<void>[] = [];
  const since = Date.now();
  let due = 0;
  const timer = setInterval(() => {
    for (; due < ((Date.now() - since) / 1000) * PER_SECOND; due++)
      if (balancer.inProgress < MAX_IN_PROGRESS) sent.push(ask(balancer, sent.length));
  }, 10);
  try {
    await sleep(500);
    await work();
    await sleep(500);
  } finally {
    clearInterval(timer);
    await Promise.all(sent);
    balancer.close();
  }
  return balancer;
}

export function expectNoFailure({ failures, done }: Balancer): void {
  expect(failures.slice(0, 5)).toEqual([]);
  expect(failures).toHaveLength(0);
  // At least those of half a second: a short restart may hold back all others.
  expect(done).toBeGreaterThan(PER_SECOND / 2);
}
