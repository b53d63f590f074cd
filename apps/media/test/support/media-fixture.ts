import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  boardRpc,
  CLOCK_SUBJECT,
  getOrganization,
  NO_CONSENT_ASKED,
  organizationRpc,
  quotasOf,
  recordingRpc,
  retentionOf,
  roomRpc,
  type BoardDrawing,
  type Quotas,
  type RpcContract,
  type RpcInput,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { applyStreams, MESSAGING_MIGRATIONS, readTextStream, RpcClient, startTextStream, type TextSource } from '@classroom/messaging';
import { runMigrations } from '@classroom/persistence';
import { Bucket, eventually, redisOf, storageOf, TestStack } from '@classroom/testing';

const root = join(__dirname, '..', '..');
export const SIGNING_KEY = { id: 'k2', secret: 'signs-whatever-is-played-in-this-test' };
export const OLD_KEY = { id: 'k1', secret: 'signed-what-was-played-before-this-test' };

const CREATED = '2026-11-01T00:00:00.000Z';
const SCHOOL = {
  name: 'A school',
  billing: null,
  verifiedDomains: [],
  branding: { logoUrl: null, primaryColor: null, accentColor: null },
  retention: retentionOf(null),
  consent: NO_CONSENT_ASKED,
  attendance: null,
  joinHook: null,
  createdAt: CREATED,
  updatedAt: CREATED,
};

/** The built media service with real dependencies. The bench itself answers as the services that it calls. */
export class MediaFixture {
  verifiedHosts = new Set(['school.example']);
  /** The hosts that the service looked up. */
  readonly lookups: string[] = [];
  /** Of each organization. */
  quotas: Quotas = quotasOf(null);
  /** The answer of recordingRpc.file; undefined stands for RECORDING_NOT_FOUND. */
  recordingFile: (input: RpcInput<typeof recordingRpc.file>) => RpcOutput<typeof recordingRpc.file> | undefined = () => undefined;
  /** The state of each class that exists. */
  readonly rooms = new Map<string, 'live' | 'finished'>();
  /** The pages of each board, as the room service sends them. */
  readonly boards = new Map<string, readonly BoardDrawing[] | TextSource>();
  private child: ChildProcess | undefined;
  private readonly workers: ChildProcess[] = [];
  /** Variables of the running process, in addition to the fixture's. */
  private childEnv: Record<string, string> = {};
  private readonly logFile = join(mkdtempSync(join(tmpdir(), 'media-')), 'media.log');

  private constructor(
    readonly stack: TestStack,
    readonly bucket: Bucket,
    readonly url: string,
    private readonly nats: NatsConnection,
    private readonly rpc: RpcClient,
    private readonly env: Record<string, string>,
  ) {}

  static async start(): Promise<MediaFixture> {
    const stack = await TestStack.parts(['postgres', 'nats', 'redis', 's3'], { isMigrated: true });
    const database = new URL(stack.urls.postgresAdmin);
    database.username = 'classroom_media';
    database.password = 'pw';
    const config = { DATABASE_URL: database.href, DATABASE_ADMIN_URL: stack.urls.postgresAdmin };
    await runMigrations({ schema: 'media', directories: [MESSAGING_MIGRATIONS, join(root, 'migrations')], config });
    const nats = await connect(stack.nats);
    await applyStreams(nats);
    // The stack reserves them for an app that it would start itself, outside the ports that the system assigns meanwhile.
    const [port, probePort] = [stack.ports.parts['media'], stack.ports.probes['media']];
    const fixture = new MediaFixture(stack, Bucket.of(stack), `http://127.0.0.1:${port}`, nats, new RpcClient(nats), {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: join(tmpdir(), 'classroom-compile-cache'),
      DEPLOYMENT: 'local',
      SERVICE_NAME: 'media',
      CLOCK: 'controlled',
      NATS_URL: stack.urls.nats,
      REDIS_URL: redisOf(stack, 'media'),
      DATABASE_URL: database.href,
      PROBE_PORT: String(probePort),
      ...storageOf(stack, 'media'),
      MEDIA_HOST: '127.0.0.1',
      MEDIA_PORT: String(port),
      MEDIA_URL: `http://127.0.0.1:${port}`,
      MEDIA_SIGNING_KEYS: `${SIGNING_KEY.id}:${SIGNING_KEY.secret},${OLD_KEY.id}:${OLD_KEY.secret}`,
      MEDIA_WORK_HOME: mkdtempSync(join(tmpdir(), 'media-work-')),
    });
    fixture.play(organizationRpc.isVerifiedHost, ({ host }) => {
      fixture.lookups.push(host);
      return { isVerified: fixture.verifiedHosts.has(host) };
    });
    fixture.play(getOrganization, ({ organizationId }) => ({ ...SCHOOL, organizationId, quotas: fixture.quotas }));
    fixture.play(recordingRpc.file, (input) => fixture.recordingFile(input), 'RECORDING_NOT_FOUND');
    fixture.play(boardRpc.drawings, (input) => fixture.drawings(input), 'ROOM_NOT_FOUND');
    fixture.play(roomRpc.describe, ({ roomId }) => fixture.describe(roomId), 'ROOM_NOT_FOUND');
    return fixture;
  }

  async stop(): Promise<void> {
    await Promise.all([this.stopApp(), ...this.workers.splice(0).map((worker) => ended(worker, 'SIGTERM'))]);
    await this.nats.close();
    await this.stack.stop();
  }

  /** Resolves when the app is ready with these variables. A process that already runs with them stays. */
  async startApp(env: Record<string, string> = {}): Promise<void> {
    if (this.isRunning && isDeepStrictEqual(env, this.childEnv)) return;
    await this.stopApp();
    this.childEnv = env;
    this.child = await this.spawn({ ROLES: 'service', ...env });
  }

  /** Starts a further worker. @returns its process; at most one at a time */
  async startWorker(env: Record<string, string> = {}): Promise<ChildProcess> {
    const own = {
      ROLES: 'worker',
      PROBE_PORT: String(this.stack.ports.probes['recording']),
      MEDIA_WORK_HOME: mkdtempSync(join(tmpdir(), 'media-work-')),
    };
    const worker = await this.spawn({ ...own, ...env });
    this.workers.push(worker);
    return worker;
  }

  private async spawn(changed: Record<string, string>): Promise<ChildProcess> {
    const log = openSync(this.logFile, 'a');
    const env = { ...this.env, ...changed };
    const child = spawn(process.execPath, [join(root, 'dist', 'app.js')], { env, stdio: ['ignore', log, log] });
    closeSync(log);
    await eventually(async () => {
      const { status } = await fetch(`http://127.0.0.1:${env['PROBE_PORT']}/readyz`);
      if (status !== 200) throw new Error(`not ready:\n${readFileSync(this.logFile, 'utf8').slice(-2_000)}`);
    }, 120_000);
    return child;
  }

  /** @returns the exit code; null if a signal ended the app */
  async stopApp(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const gone = this.exited();
    this.child?.kill(signal);
    return gone;
  }

  /** Resolves when the app has ended, such as by a crash at a failpoint, with its exit code. */
  async exited(): Promise<number | null> {
    if (this.child && this.isRunning) await once(this.child, 'exit');
    return this.child?.exitCode ?? null;
  }

  private get isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  call<C extends RpcContract>(contract: C, input: RpcRequest<C>, timeoutMs = 60_000): Promise<RpcOutput<C>> {
    return this.rpc.call(contract, input, timeoutMs);
  }

  /** The board as a file. */
  async board(
    input: Omit<RpcRequest<typeof boardRpc.file>, 'inbox'>,
    { timeoutMs = 60_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Buffer> {
    const open = async (inbox: string) => (await this.call(boardRpc.file, { ...input, inbox }, timeoutMs)).control;
    return Buffer.from(await text(readTextStream(this.nats, open, signal)), 'base64');
  }

  get workHome(): string {
    return this.env['MEDIA_WORK_HOME'] ?? '';
  }

  async moveClock(offsetMs: number): Promise<void> {
    this.nats.publish(CLOCK_SUBJECT, JSON.stringify({ offsetMs }));
    await this.nats.flush();
  }

  async row(videoId: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.stack.rows<Record<string, unknown>>('SELECT * FROM media.videos WHERE video_id = $1', [videoId]);
    return row;
  }

  async document(documentId: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.stack.rows<Record<string, unknown>>('SELECT * FROM media.documents WHERE document_id = $1', [documentId]);
    return row;
  }

  private describe(roomId: string): RpcOutput<typeof roomRpc.describe> | undefined {
    const state = this.rooms.get(roomId);
    const unused = { roomDescription: null, metadata: null, settings: null, teachers: [], mayUseAi: true, isAttendanceEvaluated: false };
    return state && { ...unused, sid: `RM_${roomId}`, roomId, title: 'A class', state, startedAt: CREATED, endedAt: null };
  }

  private drawings({ roomId, inbox }: RpcInput<typeof boardRpc.drawings>): RpcOutput<typeof boardRpc.drawings> | undefined {
    const board = this.boards.get(roomId);
    const source: TextSource | undefined = typeof board === 'function' ? board : board && (() => linesOf(board));
    return source && { control: startTextStream(this.nats, inbox, source).control };
  }

  private play<C extends RpcContract>(
    contract: C,
    answer: (input: RpcInput<C>) => RpcOutput<C> | undefined,
    otherwise: 'RECORDING_NOT_FOUND' | 'ROOM_NOT_FOUND' | 'INTERNAL_ERROR' = 'INTERNAL_ERROR',
  ): void {
    this.nats.subscribe(contract.subject, {
      callback: (_, message) => {
        const data = answer(message.json());
        const error = { code: otherwise, message: 'It does not exist' };
        message.respond(JSON.stringify(data === undefined ? { error } : { data }));
      },
    });
  }
}

async function* linesOf(pages: readonly BoardDrawing[]): AsyncGenerator<string> {
  for (const page of pages) yield `${JSON.stringify(page)}\n`;
}

/** Ends a process. @returns its exit code; null if a signal ended it */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
  return child.exitCode;
}
