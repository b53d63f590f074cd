import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient, byForm, eventually, isLongForm, newOrganization, newRoom, person, sleep, type TestStack } from '@classroom/testing';
import { CLASS_APPS, startChaosStack, type ChaosStack } from '../support.js';
import type { Measured } from './neighbours.process.js';
import { postLarge, RedisWire } from './wire.js';

const NEIGHBOURS = byForm({ short: 4, long: 20 });
const PER_SECOND = byForm({ short: 20, long: 60 });
/** For the times of neighbours without an attack, in milliseconds. */
const QUIET_MS = byForm({ short: 1_500, long: 60_000 });
/** Requests that an attacker has in progress at once. */
export const AT_ONCE = 40;
/** Requests and rounds of an attack, compared with the short form. */
export const TIMES = byForm({ short: 1, long: 5 });

/** The limits of production, which tests otherwise lift. */
const LIMITS = {
  RATE_LIMIT_PER_MINUTE: '1000',
  CLASSROOM_REQUESTS_PER_MINUTE: '600',
  ADMIN_REQUESTS_PER_MINUTE: '600',
  PAGE_REQUESTS_PER_MINUTE: '30000',
  REFUSED_REQUESTS_PER_MINUTE: '300',
};
const TRACING = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };

export interface School {
  api: ApiClient;
  value: string;
  organizationId: string;
  roomId: string;
  sid: string;
  /** The teacher's join token. */
  token: string;
}

export interface Sent {
  status: number;
  /** `200`, or `404 ROOM_NOT_FOUND`. */
  outcome: string;
  // Tests read what they assert.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
  text: string;
  headers: Headers;
}

type Call = Omit<Parameters<ApiClient['call']>[0], 'method'> & {
  method?: string;
  /** Default: an address of its own for each school or attack. */
  from?: string;
};

interface LargeCall {
  path: string;
  from: string;
  headers: Record<string, string>;
  mib: number;
}

export interface Memory {
  redis: number;
  gateway: number;
  streams: number;
}

export class HostileScene {
  /** What a caller received that belongs to a neighbour. */
  readonly leaks: string[] = [];
  neighbours: School[] = [];
  /** What the neighbours measured before the first attack, and since. */
  quiet: Measured = { times: [], failed: [] };
  readonly disturbed: Measured = { times: [], failed: [] };
  private canaries: string[] = ['canary'];
  private child!: ChildProcess;
  private addresses = 0;

  private constructor(private readonly chaos: ChaosStack) {}

  static async start(): Promise<HostileScene> {
    // Without this list, a local deployment sends webhooks to its own machine, too.
    const organization = { OUTBOUND_ALLOWED_HOSTS: '192.0.2.1' };
    const env = { all: TRACING, organization, gateway: { ...LIMITS, TRUSTED_PROXIES: '127.0.0.1' } };
    const scene = new HostileScene(await startChaosStack({ apps: [...CLASS_APPS, 'media', 'ai'], env, expectViolations: true }));
    try {
      scene.neighbours = await Promise.all(Array.from({ length: NEIGHBOURS }, (_, n) => scene.school(`canary school ${n}`)));
      scene.canaries = ['canary', ...scene.neighbours.flatMap(({ value, organizationId, sid }) => [value, organizationId, sid])];
      await scene.startNeighbours();
      return scene;
    } catch (error) {
      await scene.stop();
      throw error;
    }
  }

  private async startNeighbours(): Promise<void> {
    this.child = fork(join(__dirname, 'neighbours.process.ts'), { env: { PATH: process.env['PATH'] } });
    const schools = this.neighbours.map(({ value, roomId }) => ({ value, roomId }));
    this.child.send({ url: this.stack.urls.gateway, address: this.schoolsAddress, schools, perSecond: PER_SECOND });
    await sleep(QUIET_MS);
    // On a busy machine their process needs longer to begin.
    await eventually(async () => {
      const { times, failed } = await this.measured();
      this.quiet.times.push(...times);
      this.quiet.failed.push(...failed);
      expect(this.quiet.times.length).toBeGreaterThan(0);
    });
    expect(this.quiet.failed).toEqual([]);
  }

  async stop(): Promise<void> {
    if (this.child?.connected) this.child.disconnect();
    await this.chaos.stop();
  }

  get stack(): TestStack {
    return this.chaos.stack;
  }

  get gatewayPort(): number {
    return this.stack.ports.gateway;
  }

  /** The address that all neighbours share. */
  readonly schoolsAddress = '203.0.113.7';

  newAddress(): string {
    this.addresses += 1;
    return `198.51.100.${this.addresses}`;
  }

  /** Creates a school with a class. */
  async school(name = 'Hostile school'): Promise<School> {
    const { api, value, organizationId } = await newOrganization(this.stack, { name });
    const isNeighbour = name.startsWith('canary');
    // While the schools' address is limited because of guesses, new credentials are refused there.
    const isAtHome = isNeighbour && this.neighbours.length === 0;
    const from = api.with({ 'X-Forwarded-For': isAtHome ? this.schoolsAddress : this.newAddress() });
    const title = isNeighbour ? 'canary class' : 'Hostile class';
    const participant = { ...person('teacher'), name: isNeighbour ? 'canary teacher' : 'Teacher' };
    return { api: from, value, organizationId, ...(await newRoom(from, { title, participant })) };
  }

  /** A participant of a school's class with an open session. */
  async member({ api, roomId }: School, uid: string, role = 'STUDENT'): Promise<{ join: string; media: string; classroom: string }> {
    const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data;
    const { livekitToken, classroomToken } = (await api.bearer(token).post('/v1/classroom/session')).body.data;
    return { join: token, media: livekitToken, classroom: classroomToken };
  }

  /** Sends a request and notes what its answer reveals of the neighbours. A connection that is cut off has status 0. */
  async send({ method = 'GET', from = this.newAddressOnce, headers, ...call }: Call): Promise<Sent> {
    const api = new ApiClient(this.stack.urls.gateway, { 'X-Forwarded-For': from, ...headers });
    const cutOff = { status: 0, body: undefined, text: '', headers: new Headers() };
    const answer = await api.call({ method, ...call }).catch((error: Error) => {
      if (error.name === 'TimeoutError') throw error;
      return cutOff;
    });
    const { status, body, text } = answer;
    const seen = text + JSON.stringify([...answer.headers]);
    this.inspect(`${method} ${call.path}`, seen);
    const outcome = status === 0 ? 'cut off' : [status, body?.error].filter((it) => it !== undefined).join(' ');
    return { ...answer, outcome };
  }

  private readonly newAddressOnce = '198.51.100.254';

  /** Notes what of the neighbours is in the text. */
  inspect(where: string, text: string): void {
    for (const canary of this.canaries) if (text.includes(canary)) this.leaks.push(`${where}: ${canary}`);
  }

  /** Sends many requests, some at once. @returns how many had which outcome */
  flood(count: number, call: (n: number) => Call, atOnce = AT_ONCE): Promise<Record<string, number>> {
    return tally(count, atOnce, async (n) => (await this.send(call(n))).outcome);
  }

  /** Sends large JSON bodies, all at once. @returns how many had which outcome */
  floodLarge(count: number, call: (n: number) => LargeCall): Promise<Record<string, number>> {
    return tally(count, count, (n) => this.sendLarge(call(n)));
  }

  private async sendLarge({ path, from, headers, mib }: LargeCall): Promise<string> {
    const answer = await postLarge(this.gatewayPort, path, mib, { ...headers, 'X-Forwarded-For': from });
    this.inspect(`POST ${path}`, answer);
    const [, status, error] = /^HTTP\/1\.1 (\d+) [^]*"error":"(\w+)"/.exec(answer) ?? [];
    return status === undefined ? answer || 'cut off' : `${status} ${error}`;
  }

  /** Adds what the neighbours measured since the last call to `disturbed`. @returns how many requests they made */
  async observe(): Promise<number> {
    const { times, failed } = await this.measured();
    this.disturbed.times.push(...times);
    this.disturbed.failed.push(...failed);
    return times.length;
  }

  private async measured(): Promise<Measured> {
    const reply = once(this.child, 'message');
    this.child.send({});
    return (await reply)[0] as Measured;
  }

  /** What the neighbours see of themselves, without the rooms that they create meanwhile and the joins of their students. */
  async state(): Promise<unknown> {
    const read = async ({ api, roomId }: School) => {
      const paths = [`room/${roomId}/status`, `room/${roomId}/polls`, 'billing/balance', 'api-keys', 'webhook-endpoints', 'cdn/videos'];
      const answers = await Promise.all(paths.map(async (path) => (await api.get(`/v1/${path}`)).body.data as unknown));
      const people = (await api.get(`/v1/room/${roomId}/participants`)).body.data.participants as { uid: string }[];
      return [...answers, people.filter(({ uid }) => !uid.startsWith('student-'))];
    };
    return Promise.all(this.neighbours.map(read));
  }

  /** In bytes: Redis's data, the largest size of the gateway so far, and what JetStream stores. */
  async memory(): Promise<Memory> {
    const redis = await RedisWire.open(this.stack.urls.redis);
    const [, used] = /used_memory:(\d+)/.exec(await redis.command('INFO', 'memory')) ?? [];
    redis.end();
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.stack.app('gateway').pid}/status`, 'utf8')) ?? [];
    const streams = await fetch(`http://127.0.0.1:${this.stack.ports.parts['natsMonitor']}/jsz`);
    const { storage, memory } = (await streams.json()) as { storage: number; memory: number };
    return { redis: Number(used), gateway: Number(peak) * 1024, streams: storage + memory };
  }
}

/** Does something many times, `atOnce` in parallel. @returns how often it had which outcome */
async function tally(count: number, atOnce: number, outcomeOf: (n: number) => Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let next = 0;
  const continueUntilDone = async () => {
    while (next < count) {
      const outcome = await outcomeOf(next++);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, continueUntilDone));
  return counts;
}

export type Attack = (scene: HostileScene) => Promise<unknown>;

const campaigns = new Set<Attack>();

/** Marks an attack of hundreds of requests or of megabytes. The limits that it meets have tests of their own in apps/gateway/test. */
export function campaign(attack: Attack): Attack {
  campaigns.add(attack);
  return attack;
}

/** Whether the attack belongs to the form that runs: campaigns belong to the long one. */
export const isInForm = ([, attack]: [string, Attack]): boolean => isLongForm || !campaigns.has(attack);

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Asserts that there were such outcomes and no others. */
export function expectOutcomes(counts: Record<string, number>, ...outcomes: string[]): void {
  expect([Object.keys(counts).filter((it) => !outcomes.includes(it)), Object.keys(counts).length > 0]).toEqual([[], true]);
}
