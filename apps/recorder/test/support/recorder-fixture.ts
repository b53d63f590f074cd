import { randomInt } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy, jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { captureSubject, egressWebhook, recorderRpc, type CaptureJob, type EgressWebhook, type MergeJob } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { ObjectStorage, storageConfig } from '@classroom/storage';
import { beepsOf, eventually, liveKitAdmin, liveKitToken, PatternPerson, TestStack, watchFilm, type Film } from '@classroom/testing';
import { PageServer } from './page-server.js';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const random = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** A recorder with real dependencies, and the client that sends it jobs. */
export class RecorderFixture {
  readonly storage: ObjectStorage;
  private readonly rpc: RpcClient;
  private readonly heard: EgressWebhook[] = [];
  private people: PatternPerson[] = [];

  private constructor(
    readonly stack: TestStack,
    readonly page: PageServer,
    private readonly nats: NatsConnection,
    private readonly jetstream: JetStreamClient,
  ) {
    this.rpc = new RpcClient(nats);
    this.storage = new ObjectStorage(
      storageConfig.parse({
        S3_ENDPOINT: stack.urls.s3,
        S3_BUCKET: 'classroom',
        S3_ACCESS_KEY_ID: stack.secrets['s3AccessKeyId'],
        S3_SECRET_ACCESS_KEY: stack.secrets['s3SecretAccessKey'],
      }),
    );
  }

  static async start(env: Record<string, string> = {}): Promise<RecorderFixture> {
    const page = await PageServer.listen();
    const stack = await TestStack.start({
      parts: ['nats', 'redis', 'livekit', 's3'],
      apps: ['recorder'],
      livekit: { webhookUrls: [] },
      env: { recorder: env },
    });
    const nats = await connect(stack.nats);
    const fixture = new RecorderFixture(stack, page, nats, jetstream(nats));
    await fixture.listen();
    return fixture;
  }

  /** Disconnects every participant: each encodes a picture as long as it is connected. */
  async emptyRooms(): Promise<void> {
    const leaving = this.people.map((person) => person.leave().catch(() => undefined));
    this.people = [];
    await Promise.all(leaving);
  }

  async stop(): Promise<void> {
    await this.emptyRooms();
    this.storage.close();
    await this.nats.close();
    await this.stack.stop();
    await this.page.close();
  }

  /** Creates a room with a participant who flashes and beeps, and the job of recording it. */
  async job(changes: Partial<CaptureJob> = {}): Promise<CaptureJob> {
    const [sid, egressId] = [`RM_${random(16)}`, `EG_${random(14)}`];
    await liveKitAdmin(this.stack).createRoom({ name: sid, emptyTimeout: 60 });
    const token = await liveKitToken(this.stack, 'teacher', { room: sid, canPublish: true, canSubscribe: false });
    this.people.push(await PatternPerson.connect(this.stack.urls.livekitPublic, token, { color: [128, 128], hertz: 1_000 }));
    return {
      egressId,
      sid,
      livekitUrl: this.stack.urls.livekitPublic,
      token: await liveKitToken(this.stack, egressId, { room: sid, hidden: true, recorder: true, canPublish: false, canSubscribe: true }),
      pageUrl: this.page.url,
      title: 'Algebra I',
      logoUrl: '',
      layout: 'grid',
      preset: 'H264_720P_30',
      objectKey: `recordings/${sid}/${egressId}.mp4`,
      ...changes,
    };
  }

  async closeRoom({ sid }: CaptureJob): Promise<void> {
    await liveKitAdmin(this.stack).deleteRoom(sid);
  }

  /** The job of merging the files of these captures. */
  async mergeJob(jobs: CaptureJob[]): Promise<MergeJob> {
    const [sid, egressId] = [jobs[0]?.sid ?? `RM_${random(16)}`, `EG_${random(14)}`];
    const link = { expiresIn: 600, at: new Date() };
    return {
      egressId,
      sid,
      layout: 'grid',
      preset: 'H264_720P_30',
      objectKey: `recordings/${sid}/${egressId}.mp4`,
      parts: await Promise.all(jobs.map(({ objectKey }) => this.storage.presignGet(objectKey, link))),
      startedAt: '2026-03-02T08:00:00.000Z',
      endedAt: '2026-03-02T08:45:00.000Z',
    };
  }

  /** Offers the job until a recorder accepts it. */
  merge(job: MergeJob): Promise<{ egressId: string }> {
    return eventually(() => this.rpc.call(recorderRpc.merge, job));
  }

  /** Offers the job until a recorder accepts it. */
  start(job: CaptureJob): Promise<{ egressId: string }> {
    return eventually(() => this.offer(job));
  }

  /** Offers the job once. @throws AppError SERVICE_UNAVAILABLE if no recorder is free */
  offer(job: CaptureJob, timeoutMs?: number): Promise<{ egressId: string }> {
    return this.rpc.call(recorderRpc.start, job, timeoutMs);
  }

  ask(what: 'stop' | 'describe', { egressId }: CaptureJob): Promise<object> {
    const contract = recorderRpc[what];
    return this.rpc.call({ ...contract, subject: captureSubject(contract, egressId) }, { egressId });
  }

  /** The events of a capture so far, such as `ended COMPLETE`. */
  eventNames({ egressId }: Pick<CaptureJob, 'egressId'>): string[] {
    return this.eventsOf(egressId).map(
      ({ event, egressInfo }) => `${event.slice('egress_'.length)} ${egressInfo.status.slice('EGRESS_'.length)}`,
    );
  }

  async reaches(job: Pick<CaptureJob, 'egressId'>, what: string, timeoutMs = 60_000): Promise<EgressWebhook['egressInfo']> {
    return eventually(() => {
      const found = this.eventsOf(job.egressId)[this.eventNames(job).indexOf(what)];
      if (!found) throw new Error(`${job.egressId} sent: ${this.eventNames(job).join(', ') || 'nothing'}`);
      return found.egressInfo;
    }, timeoutMs);
  }

  async film({ objectKey }: Pick<CaptureJob, 'objectKey'>): Promise<Film & { beeps: number[] }> {
    const file = join(await mkdtemp(join(tmpdir(), 'film-')), 'recording.mp4');
    await writeFile(file, await this.storage.read(objectKey));
    return { ...(await watchFilm(file)), beeps: await beepsOf(file) };
  }

  private eventsOf(id: string): EgressWebhook[] {
    return this.heard.filter(({ egressInfo }) => egressInfo.egressId === id);
  }

  private async listen(): Promise<void> {
    const manager = await this.jetstream.jetstreamManager();
    await manager.consumers.add('LIVEKIT', { durable_name: 'recorder-bench', ack_policy: AckPolicy.None });
    const consumer = await this.jetstream.consumers.get('LIVEKIT', 'recorder-bench');
    await consumer.consume({ callback: (message) => void this.heard.push(egressWebhook.parse(message.json())) });
  }
}
