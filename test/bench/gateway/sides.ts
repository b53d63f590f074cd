import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startStack, startParts, pickPorts } from '../../../tools/stack/index.ts';
import { nodeBinary } from '../../../tools/stack/toolchain.ts';
import type { Stack } from '../../../tools/stack/stack.ts';
import type { Pids } from '../load/processes.ts';

const ROOMS = 100;
const PARTICIPANTS = 20;
const CONCURRENCY = 10;
const WEBHOOKS_OFF = { webhookUrls: [] };
const TRACING = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const UNLIMITED = { RATE_LIMIT_PER_MINUTE: '10000000' };

/** All processes of both sides. `stop` ends them and may be called at any time. */
export class Sides {
  ours!: Stack;
  bareParts!: Stack;
  bareUrl!: string;
  bareRoom!: ChildProcess;
  bareGateway!: ChildProcess;
  bareCreate!: ChildProcess;
  private readonly options: { signal: AbortSignal; profile?: string };
  private readonly homes = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-bench-'));
  private readonly stacks: Stack[] = [];
  private readonly children: ChildProcess[] = [];
  /** By side: a value of VF-ORG-ID, and what the bare side reads its rows with. */
  private readonly organizationIds = { ours: 'bench', bare: '' };
  private readonly prefix = 'bench';

  constructor(options: { signal: AbortSignal; profile?: string }) {
    this.options = options;
  }

  async start() {
    const profiled: Record<string, string> = this.options.profile
      ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(this.options.profile)}` }
      : {};
    // Waits for both: a stop in between would miss a process that is just being started.
    const [ours, bareParts] = await Promise.allSettled([
      this.launch(startStack, 'ours', { env: { all: TRACING, gateway: { ...profiled, ...UNLIMITED }, room: profiled } }),
      // A separate LiveKit without webhooks, so that our services don't have to process the events of the bare side.
      this.launch(startParts, 'bare', { parts: ['redis', 'livekit'], livekit: WEBHOOKS_OFF }),
    ]);
    if (ours.status === 'rejected') throw ours.reason;
    if (bareParts.status === 'rejected') throw bareParts.reason;
    this.ours = ours.value;
    this.bareParts = bareParts.value;
    const { urls, secrets, gatewayPort } = this.ours;
    const database = new URL(urls.postgresAdmin);
    database.username = 'classroom_room';
    database.password = secrets.databasePasswords.room;
    const barePort = gatewayPort - 1;
    const common = { NATS_URL: urls.nats, PORT: String(barePort), DATABASE_URL: database.href };
    this.bareUrl = `http://127.0.0.1:${barePort}`;
    this.bareRoom = await this.spawn('bare-room.ts', { ...common, ...credentials(this.ours) });
    this.bareGateway = await this.spawn('bare-gateway.ts', common);
    const creating = { LIVEKIT_URL: this.bareParts.urls.livekit, DATABASE_URL: urls.postgresAdmin, ...credentials(this.bareParts) };
    this.bareCreate = await this.spawn('bare-create.ts', creating);
    await this.provision();
  }

  async launch(start: typeof startStack, name: string, options: object) {
    const { portBase, gatewayPort, release } = await pickPorts();
    const { signal } = this.options;
    try {
      const stack = await start({ home: path.join(this.homes, name), portBase, gatewayPort, external: false, signal, ...options });
      this.stacks.push(stack);
      return stack;
    } finally {
      release();
    }
  }

  /** Starts a bare process, which ends together with this one. */
  async spawn(file: string, env: Record<string, string>) {
    const child = fork(path.join(import.meta.dirname, file), { execPath: nodeBinary(), env: { PATH: process.env.PATH, ...env } });
    this.children.push(child);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`${file} ended with ${code}`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return child;
  }

  /** Creates the organization and the rooms that both sides read. */
  async provision() {
    const { secrets } = this.ours;
    const billing = { type: 'POSTPAID', billingFrequency: 'MONTHLY', creditRate: 0.01, currency: 'USD' };
    const organization = { organizationId: this.organizationIds.ours, name: 'Bench School', billing };
    const { id } = await this.post('/v1/admin/organizations', { 'X-Dispatch-Secret': secrets.dispatchSecret }, organization);
    this.organizationIds.bare = id;
    const participant = { uid: 'teacher-1', name: 'Ada Teacher', role: 'TEACHER' };
    const numbers = [...Array(ROOMS).keys()];
    while (numbers.length > 0) {
      await Promise.all(
        numbers.splice(0, CONCURRENCY).map((number) => {
          const room = { roomId: `${this.prefix}-${number}`, title: 'Bench class', participant };
          return this.post('/v1/room/create', { 'VF-ORG-ID': this.organizationIds.ours }, room);
        }),
      );
    }
  }

  /** @returns `data` of the answer */
  async post(address: string, headers: Record<string, string>, body: object): Promise<{ id: string }> {
    const response = await fetch(`${this.ours.urls.gateway}${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: this.options.signal,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${address} was answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: { id: string } }).data;
  }

  /** Arguments for wrk.lua. */
  loadArgs(side: 'ours' | 'bare', kind: string, prefix: string = this.prefix) {
    return [kind, this.organizationIds[side], prefix, ROOMS, PARTICIPANTS];
  }

  /** The processes that serve a request and what it causes, by side. The load generator is not one of them. */
  pids(kind: 'status' | 'join' | 'create'): Record<'ours' | 'bare', Pids> & { floor?: Pids } {
    const { apps, parts } = this.ours;
    const pid = (process: { pid?: number | undefined }) => process.pid ?? 0;
    const shared = { nats: pid(parts.nats), postgres: pid(parts.postgres) };
    const ours = { gateway: pid(apps.gateway), room: pid(apps.room), ...shared, redis: pid(parts.redis) };
    if (kind !== 'create') return { ours, bare: { gateway: pid(this.bareGateway), room: pid(this.bareRoom), ...shared } };
    const { livekit, redis } = this.bareParts.parts;
    const bare = { caller: pid(this.bareCreate), redis: pid(redis), livekit: pid(livekit) };
    return {
      // Billing and organization store the fact of each new room.
      ours: { ...ours, billing: pid(apps.billing), organization: pid(apps.organization), livekit: pid(parts.livekit) },
      bare,
      floor: { ...bare, postgres: shared.postgres },
    };
  }

  async stop() {
    for (const child of this.children) if (child.connected) child.disconnect();
    await Promise.all(this.stacks.map((stack) => stack.stop({ wipe: true })));
    fs.rmSync(this.homes, { recursive: true, force: true });
  }
}

const credentials = ({ secrets }: Stack) => ({ LIVEKIT_API_KEY: secrets.livekitApiKey, LIVEKIT_API_SECRET: secrets.livekitApiSecret });
