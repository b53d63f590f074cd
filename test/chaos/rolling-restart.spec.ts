import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import {
  eventually,
  expectPresenceInvariants,
  type ManagedProcess,
  newOrganization,
  newRoom,
  person,
  sleep,
} from '@classroom/testing';
import { pickPorts, startBench, type Bench } from './support.js';

const PER_SECOND = 100;
/** One organization may ask 1,000 times a minute. */
const ORGANIZATIONS = 10;
/** Who never asked before: the gateway knows nothing of them and has to ask the organization service. */
const STRANGERS = 40;
/** What a load balancer gets to notice "not ready" before the process stops to listen. */
const SHUTDOWN_DELAY_S = 1;
const PROBE_EVERY_MS = 200;
/** After its delay and the last answer a gateway has nothing to wait for: not 65 s of keep-alive, not the drain limit. */
const GONE_WITHIN_MS = SHUTDOWN_DELAY_S * 1000 + 3_000;

interface Gateway {
  port: number;
  probePort: number;
}

/** As a load balancer: connections kept alive, requests only to who is ready, no request tried twice. */
class Balancer {
  readonly failures: string[] = [];
  done = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 200 });
  private readonly ready = new Set<Gateway>();
  private readonly timer: NodeJS.Timeout;
  private turn = 0;

  constructor(private readonly gateways: Gateway[]) {
    this.timer = setInterval(() => void this.look(), PROBE_EVERY_MS);
  }

  async look(): Promise<void> {
    await Promise.all(
      this.gateways.map(async (gateway) => {
        const answer = await fetch(`http://127.0.0.1:${gateway.probePort}/readyz`).catch(() => undefined);
        await answer?.arrayBuffer();
        if (answer?.status === 200) this.ready.add(gateway);
        else this.ready.delete(gateway);
      }),
    );
  }

  async send(method: string, path: string, organizationId: string, body?: object): Promise<void> {
    const ready = [...this.ready];
    const gateway = ready[this.turn++ % ready.length];
    if (!gateway) return void this.failures.push(`${method} ${path}: no gateway is ready`);
    const outcome = await this.exchange(gateway, method, path, organizationId, body).catch((error: unknown) => String(error));
    if (outcome === undefined) this.done += 1;
    else this.failures.push(`${method} ${path} on ${gateway.port}: ${outcome}`);
  }

  /** Undefined is success. */
  private exchange(gateway: Gateway, method: string, path: string, organizationId: string, body?: object): Promise<string | undefined> {
    const payload = body ? JSON.stringify(body) : undefined;
    const headers = {
      'vf-org-id': organizationId,
      ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
    };
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: gateway.port, method, path, headers, agent: this.agent, timeout: 10_000 };
      const outgoing = request(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve(answer.statusCode === 200 ? undefined : `${answer.statusCode} ${text}`));
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 10 s')));
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }

  close(): void {
    clearInterval(this.timer);
    this.agent.destroy();
  }
}

describe('each process is restarted in turn under 100 requests a second', () => {
  let bench: Bench;
  let classes: { organizationId: string; roomId: string }[];
  const strangers: string[] = [];
  let first: Gateway;
  let second: Gateway & { process: ChildProcess };

  beforeAll(async () => {
    bench = await startBench({ env: { gateway: { SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_S) } } });
    const { stack } = bench;
    first = { port: stack.ports.gateway, probePort: stack.ports.probes['gateway'] ?? 0 };
    classes = await Promise.all(
      Array.from({ length: ORGANIZATIONS }, async () => {
        const { organizationId, api } = await newOrganization(stack);
        return { organizationId, roomId: (await newRoom(api)).roomId };
      }),
    );
    for (let n = 0; n < STRANGERS; n++) strangers.push((await newOrganization(stack)).organizationId);
  }, 120_000);
  afterEach(() => expectPresenceInvariants(bench.stack), 30_000);
  afterAll(async () => {
    await ended(second?.process, 'SIGKILL');
    await bench?.stop();
  }, 60_000);

  /** Seven in ten ask for the status, one in twenty creates; each tick sends what its time asks for. */
  async function underLoad(gateways: Gateway[], work: () => Promise<void>): Promise<Balancer> {
    const balancer = new Balancer(gateways);
    await balancer.look();
    const sent: Promise<void>[] = [];
    const since = Date.now();
    const timer = setInterval(() => {
      while (sent.length < ((Date.now() - since) / 1000) * PER_SECOND) sent.push(one(balancer, sent.length));
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

  function one(balancer: Balancer, n: number): Promise<void> {
    const { organizationId, roomId } = classes[n % classes.length] ?? { organizationId: '', roomId: '' };
    const kind = n % 20;
    if (kind === 0) {
      const body = { roomId: `room-${randomUUID()}`, title: 'Algebra', participant: person('teacher') };
      return balancer.send('POST', '/v1/room/create', organizationId, body);
    }
    const stranger = kind === 10 ? strangers.pop() : undefined;
    if (stranger) return balancer.send('GET', '/v1/room/unknown/status', stranger);
    if (kind < 6) return balancer.send('POST', `/v1/room/${roomId}/join`, organizationId, { participant: person(`uid-${n}`, 'STUDENT') });
    return balancer.send('GET', `/v1/room/${roomId}/status`, organizationId);
  }

  function expectNoFailure({ failures, done }: Balancer): void {
    expect(failures.slice(0, 5)).toEqual([]);
    expect(failures).toHaveLength(0);
    expect(done).toBeGreaterThan(PER_SECOND);
  }

  it.each(['organization', 'room', 'billing'])('%s: whoever asks meanwhile waits a little and is answered', async (name) => {
    expectNoFailure(await underLoad([first], () => bench.stack.app(name).restart()));
  }, 60_000);

  it('gateway, two of them, one after the other', async () => {
    second = await startSecondGateway(bench.stack.app('gateway'), bench.stack.home);
    const gateway = bench.stack.app('gateway');
    const took: number[] = [];
    const stopping = async (stop: () => Promise<unknown>) => {
      const since = Date.now();
      await stop();
      took.push(Date.now() - since);
    };
    const balancer = await underLoad([first, second], async () => {
      await stopping(() => gateway.stop());
      await gateway.start();
      // The balancer has seen it by then.
      await sleep(2 * PROBE_EVERY_MS);
      await stopping(() => ended(second.process, 'SIGTERM'));
    });
    expectNoFailure(balancer);
    expect(Math.max(...took)).toBeLessThan(GONE_WITHIN_MS);
    expect(second.process.exitCode).toBe(0);
  }, 60_000);

  it('a request that is under way when its gateway or its service is told to stop is answered', async () => {
    const { stack, livekit } = bench;
    const { api } = await newOrganization(stack);
    await livekit.faults({ api: { latencyMs: 2_000, methods: ['CreateRoom'] } });
    const slow = newRoom(api);
    await sleep(500);
    const [, created] = await Promise.all([stack.app('room').stop(), slow]);
    expect(created.sid).toMatch(/^RM_/);
    await stack.app('room').start();
    const slower = newRoom(api);
    await sleep(500);
    const idle = await fetch(`${stack.urls.gateway}/v1/room/x/status`);
    await idle.arrayBuffer();
    const [exit, answered] = await Promise.all([stack.app('gateway').stop(), slower]);
    expect(answered.sid).toMatch(/^RM_/);
    expect(exit).toMatchObject({ code: 0 });
    await livekit.clearFaults();
    await stack.app('gateway').start();
  }, 60_000);
});

/** The launcher runs one gateway; another of the same environment on ports of its own. */
async function startSecondGateway(gateway: ManagedProcess, home: string): Promise<Gateway & { process: ChildProcess }> {
  const { gatewayPort: port, portBase: probePort } = await pickPorts();
  const { spec } = gateway as unknown as {
    spec: { command(extraEnv: Record<string, string>): { file: string; args: string[]; cwd: string; env: Record<string, string> } };
  };
  const traces = join(home, 'traces', 'gateway-2.jsonl');
  const { file, args, cwd, env } = spec.command({ GATEWAY_PORT: String(port), PROBE_PORT: String(probePort), TRACE_FILE: traces });
  const log = openSync(join(home, 'logs', 'gateway-2.log'), 'a');
  const process = spawn(file, args, { cwd, env, stdio: ['ignore', log, log] });
  closeSync(log);
  await eventually(async () => {
    const { status } = await fetch(`http://127.0.0.1:${probePort}/readyz`);
    expect(status).toBe(200);
  }, 30_000);
  return { port, probePort, process };
}

async function ended(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}
