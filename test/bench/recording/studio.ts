import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { randomInt } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { captureSubject, recorderRpc } from '@classroom/contracts';
import { AccessToken, RoomServiceClient, type VideoGrant } from 'livekit-server-sdk';
import { natsOptions, startStack, pickPorts, type Stack } from '../../../tools/stack/index.ts';
import { nodeBinary } from '../../../tools/stack/toolchain.ts';
import { ObjectStorage, storageConfig } from '../../../libs/storage/dist/index.js';
import type { AddressInfo } from 'node:net';

const ASSETS = path.join(import.meta.dirname, '..', '..', '..', 'apps', 'classroom', 'dist');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' };
const TIMEOUT_MS = 60_000;
const BUCKET = 'classroom';
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const newId = () => Array.from({ length: 16 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** The fields of a recorder's events that are read here. */
interface EgressInfo {
  egressId: string;
  status: string;
  error?: string;
}

/** A recorder with the parts that it needs, and a client that sends it jobs. `stop` may be called at any time. */
export class Studio {
  readonly signal: AbortSignal;
  stack!: Stack;
  private readonly slots: number;
  private readonly home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-recording-bench-'));
  private readonly children = new Set<ChildProcess>();
  private readonly heard: { egressInfo: EgressInfo }[] = [];
  private page!: http.Server;
  private storage!: ObjectStorage;
  private rooms!: RoomServiceClient;
  private nats!: NatsConnection;

  constructor({ slots, signal }: { slots: number; signal: AbortSignal }) {
    this.slots = slots;
    this.signal = signal;
  }

  async start() {
    this.page = http.createServer(servePage).listen(0, '127.0.0.1');
    await once(this.page, 'listening');
    const { portBase, gatewayPort, release } = await pickPorts();
    try {
      this.stack = await startStack({
        home: this.home,
        portBase,
        gatewayPort,
        external: false,
        signal: this.signal,
        parts: ['nats', 'redis', 'livekit', 's3'],
        apps: ['recorder'],
        livekit: { webhookUrls: [] },
        env: { recorder: { RECORDER_SLOTS: String(this.slots), OTEL_TRACES_SAMPLER: 'always_off' } },
      });
    } finally {
      release();
    }
    const { urls, secrets } = this.stack;
    this.storage = new ObjectStorage(
      storageConfig.parse({
        S3_ENDPOINT: urls.s3,
        S3_BUCKET: BUCKET,
        S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
        S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
      }),
    );
    this.rooms = new RoomServiceClient(urls.livekit, secrets.livekitApiKey, secrets.livekitApiSecret);
    this.nats = await connect(natsOptions(urls.nats));
    const stream = jetstream(this.nats);
    await (await stream.jetstreamManager()).consumers.add('LIVEKIT', { durable_name: 'recording-bench', ack_policy: AckPolicy.None });
    await (
      await stream.consumers.get('LIVEKIT', 'recording-bench')
    ).consume({ callback: (message) => void this.heard.push(message.json()) });
  }

  get recorderPid(): number {
    return this.stack.apps.recorder.pid ?? 0;
  }

  /** Names and pids of processes in addition to the recorder's. */
  get partPids(): Record<string, number> {
    return { livekit: this.stack.parts.livekit.pid ?? 0 };
  }

  /** Opens a class with a number of publishing participants. Resolves when all publish. */
  async openClass(people: number) {
    const sid = `RM_${newId()}`;
    await this.rooms.createRoom({ name: sid, emptyTimeout: 60 });
    const tokens = await Promise.all(
      Array.from({ length: people }, (_, i) => this.token(sid, `person${i}`, { canPublish: true, canSubscribe: false })),
    );
    const publishers = this.spawn('publishers.ts');
    publishers.send({ url: this.stack.urls.livekitPublic, tokens });
    await this.answer(publishers);
    return { sid, publishers };
  }

  async token(room: string, identity: string, grant: VideoGrant) {
    const { livekitApiKey, livekitApiSecret } = this.stack.secrets;
    const token = new AccessToken(livekitApiKey, livekitApiSecret, { identity, name: `Name of ${identity}`, ttl: 3600 });
    token.addGrant({ roomJoin: true, room, ...grant });
    return token.toJwt();
  }

  /** Starts a recording. Resolves with its job when its first frame was recorded. */
  async film(sid: string, { layout, preset }: { layout: string; preset: string }) {
    const egressId = `EG_${newId()}`;
    const job = {
      egressId,
      sid,
      layout,
      preset,
      title: 'Benchmark',
      logoUrl: '',
      objectKey: `recordings/bench/${egressId}.mp4`,
      livekitUrl: this.stack.urls.livekitPublic,
      pageUrl: `http://127.0.0.1:${(this.page.address() as AddressInfo).port}/recording`,
      token: await this.token(sid, egressId, { hidden: true, recorder: true, canPublish: false, canSubscribe: true }),
    };
    await this.ask(recorderRpc.start.subject, job);
    await this.reaches(egressId, 'EGRESS_ACTIVE');
    return job;
  }

  /** Stops a recording. Resolves when its file is complete. */
  async stopFilming({ egressId }: { egressId: string; objectKey: string }) {
    await this.ask(captureSubject(recorderRpc.stop, egressId), { egressId });
    await this.reaches(egressId, 'EGRESS_COMPLETE');
  }

  /** Downloads a copy of the film. @returns its path */
  async fetchFilm({ egressId, objectKey }: { egressId: string; objectKey: string }): Promise<string> {
    const file = path.join(this.home, `${egressId}.mp4`);
    await fs.promises.writeFile(file, await this.storage.read(objectKey));
    return file;
  }

  /** @param file started as a separate process, which ends together with this one */
  spawn(file: string) {
    const env = { PATH: process.env.PATH, NODE_ENV: 'production' };
    const child = fork(path.join(import.meta.dirname, file), {
      execPath: nodeBinary(),
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
    return child;
  }

  async answer(child: ChildProcess): Promise<unknown> {
    const ended = once(child, 'exit', { signal: this.signal }).then(([code]) => {
      throw new Error(`${child.spawnargs[1]} ended with ${code}`);
    });
    ended.catch(() => undefined);
    return Promise.race([once(child, 'message', { signal: this.signal }).then(([message]) => message), ended]);
  }

  async end(child: ChildProcess) {
    if (child.exitCode !== null) return;
    const gone = once(child, 'exit');
    if (child.connected) child.disconnect();
    await Promise.race([gone, sleep(4_000).then(() => child.kill('SIGKILL'))]);
  }

  async stop() {
    await Promise.all([...this.children].map((child) => this.end(child)));
    this.storage?.close();
    await this.nats?.close();
    await this.stack?.stop({ wipe: true });
    this.page?.closeAllConnections();
    this.page?.close();
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  async ask(subject: string, input: object) {
    const reply = (await this.nats.request(subject, JSON.stringify(input), { timeout: 10_000 })).json<{ error?: unknown }>();
    if (reply.error) throw new Error(`${subject}: ${JSON.stringify(reply.error)}`);
  }

  async reaches(egressId: string, status: string) {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      this.signal.throwIfAborted();
      const reported = this.heard.map(({ egressInfo }) => egressInfo).filter((info) => info.egressId === egressId);
      const found = reported.find((info) => info.status === status);
      if (found?.error) throw new Error(found.error);
      if (found) return;
      const last = reported.at(-1);
      if (/FAILED|ABORTED/.test(last?.status ?? '') || Date.now() > deadline)
        throw new Error(`the recording did not become ${status}: ${last?.status} ${last?.error}`);
      await sleep(50);
    }
  }
}

function servePage(request: http.IncomingMessage, response: http.ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://page');
  const file = path.join(ASSETS, pathname === '/recording' ? 'recording.html' : path.normalize(pathname));
  fs.readFile(file, (error, content) => {
    if (error) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' }).end(content);
  });
}
