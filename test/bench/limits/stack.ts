import path from 'node:path';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { SimulatedLiveKit, TestStack, newOrganization, person } from '@classroom/testing';
import type { Secrets } from '../../../tools/stack/secrets.ts';

const TRACING = { CLOCK: 'system', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const BARE_GATEWAY_DIR = path.join(import.meta.dirname, '..', 'gateway');
/** Each sends 5 requests per second: half of its quota. */
const NEIGHBOURS = 20;

/** Two gateways, a bare one on the same NATS and Postgres, and the processes that send the requests of neighbours and offender. */
export class LimitsStack {
  neighbour!: ChildProcess;
  offender!: ChildProcess;
  neighbours!: string[];
  urls!: Record<'ours' | 'bare', string[]>;
  private readonly quota: string;
  private readonly children: ChildProcess[] = [];
  private livekit!: SimulatedLiveKit;
  private stack!: TestStack;
  private stopping: Promise<void> | undefined;

  /** @param quota requests of one organization per minute */
  constructor(quota: number) {
    this.quota = String(quota);
  }

  async start() {
    this.livekit = new SimulatedLiveKit({ webhookUrls: [] });
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = await this.livekit.start();
    const gateway = { RATE_LIMIT_PER_MINUTE: this.quota };
    const apps = ['organization', 'room', 'gateway', 'billing'];
    const stack = await TestStack.start({
      apps,
      env: { all: TRACING, gateway },
      livekit: false,
      livekitUrl,
      livekitApiKey,
      livekitApiSecret,
    });
    this.stack = stack;
    const [second, bare] = [stack.port(), stack.port()];
    await stack.addProcess('gateway', { name: 'gateway-2', env: { GATEWAY_PORT: String(second), ...gateway } }).start();
    const database = new URL(stack.urls.postgresAdmin);
    database.username = 'classroom_room';
    database.password = (stack.secrets as unknown as Secrets).databasePasswords['room'] ?? '';
    const common = {
      NATS_URL: stack.urls.nats,
      DATABASE_URL: database.href,
      PORT: String(bare),
      LIVEKIT_API_KEY: livekitApiKey,
      LIVEKIT_API_SECRET: livekitApiSecret,
    };
    await this.spawn(path.join(BARE_GATEWAY_DIR, 'bare-room.ts'), { ...common });
    await this.spawn(path.join(BARE_GATEWAY_DIR, 'bare-gateway.ts'), common);
    this.neighbour = await this.spawn(path.join(import.meta.dirname, 'neighbour.ts'));
    this.offender = await this.spawn(path.join(import.meta.dirname, 'offender.ts'));
    this.neighbours = await Promise.all(Array.from({ length: NEIGHBOURS }, () => this.school()));
    const ours = [stack.urls.gateway, `http://127.0.0.1:${second}`];
    this.urls = { ours, bare: [`http://127.0.0.1:${bare}`] };
  }

  /** Creates a school with a class, which has sent no other requests yet. @returns its value of VF-ORG-ID */
  async school(): Promise<string> {
    const { value, api } = await newOrganization(this.stack);
    const { status, text } = await api.post('/v1/room/create', {
      roomId: 'class',
      title: 'Geometry',
      participant: person('teacher-1', 'TEACHER'),
    });
    if (status !== 200) throw new Error(`no class: ${status} ${text}`);
    return value;
  }

  async spawn(file: string, env: Record<string, string> = {}) {
    const child = fork(file, { env: { PATH: process.env.PATH, ...env } });
    this.children.push(child);
    await once(child, 'message');
    return child;
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  private async end(): Promise<void> {
    for (const child of this.children) if (child.connected) child.disconnect();
    await this.stack?.stop();
    await this.livekit?.stop();
  }
}
