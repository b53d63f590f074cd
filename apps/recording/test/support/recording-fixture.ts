import { AckPolicy, jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  liveKitSubject,
  type EventEnvelope,
  type RecordingFact,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import {
  allPublished,
  Bucket,
  eventually,
  expectRecordingInvariants,
  metricSample,
  SimulatedEgress,
  SimulatedRecorder,
  TestStack,
  toWebhook,
  type Capture,
  type EgressEventName,
  type EgressMessage,
  type SimulatedEngine,
} from '@classroom/testing';
import { FakeServices, type FakeRoom } from './fake-services.js';
import { RecordedClass } from './recorded-class.js';

export type EngineKind = 'embedded' | 'egress';
export const ENGINES: EngineKind[] = ['embedded', 'egress'];

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** One event that the service published: its envelope id, such as `completed`, and the recording. */
export interface Fact {
  id: string;
  what: string;
  data: RecordingFact;
}

const LIVEKIT = { livekitApiKey: 'key-of-tests', livekitApiSecret: 'a-secret-of-at-least-32-characters' };

/**
 * The built recording service as a process with real Postgres, NATS, Redis and S3. Recorder and LiveKit Egress are simulated, the
 * room and organization services are fakes. Nothing else runs: tests call operations by contract and publish the events.
 */
export class RecordingFixture {
  private kind: EngineKind = 'embedded';
  private readonly published: Fact[] = [];

  private constructor(
    readonly stack: TestStack,
    readonly recorder: SimulatedRecorder,
    readonly egress: SimulatedEgress,
    readonly services: FakeServices,
    readonly bucket: Bucket,
    private readonly nats: NatsConnection,
    private readonly rpc: RpcClient,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<RecordingFixture> {
    const egress = await SimulatedEgress.listen();
    const stack = await TestStack.start({
      parts: ['postgres', 'nats', 'redis', 's3'],
      apps: ['recording'],
      livekit: false,
      livekitUrl: egress.url,
      ...LIVEKIT,
      env: { recording: env },
    });
    const nats = await connect({ ...stack.nats, maxReconnectAttempts: -1, reconnectTimeWait: 200 });
    const recorder = await SimulatedRecorder.connect(stack);
    const fixture = new RecordingFixture(stack, recorder, egress, new FakeServices(nats), Bucket.of(stack), nats, new RpcClient(nats));
    egress.attach(stack, (webhook) => fixture.deliver(webhook as { event: string; egressInfo: EgressMessage }));
    await fixture.readFacts();
    return fixture;
  }

  async stop(): Promise<void> {
    await this.recorder.close();
    await this.egress.close();
    await this.nats.close();
    await this.stack.stop();
  }

  get app(): ReturnType<TestStack['app']> {
    return this.stack.app('recording');
  }

  get engine(): SimulatedEngine {
    return this.kind === 'egress' ? this.egress : this.recorder;
  }

  /** Restarts the service with this engine. */
  async use(kind: EngineKind): Promise<void> {
    if (kind === this.kind) return;
    this.kind = kind;
    await this.restart();
  }

  async restart(): Promise<void> {
    await this.app.restart(this.environment);
  }

  start(): Promise<void> {
    return this.app.start(this.environment);
  }

  /** Restarts the service with a delay at a failpoint. */
  async delayAt(failpoint: string, ms: number): Promise<void> {
    await this.app.restart({ ...this.environment, FAILPOINTS: `recording.${failpoint}=delay:${ms}` });
  }

  /** Starts the service so that it is killed with -9 at a failpoint, by waiting work or by `provoke`; resolves after its death. */
  async crashAt(failpoint: string, provoke: () => Promise<unknown> = async () => undefined): Promise<void> {
    await this.app.stop();
    this.app.launch({ ...this.environment, FAILPOINTS: `recording.${failpoint}=crash` });
    // The caller would wait long for an answer that never comes, so this is not awaited.
    void this.app
      .ready()
      .then(provoke)
      .catch(() => undefined);
    expect((await this.app.exited).signal).toBe('SIGKILL');
  }

  /** After each test: everything works again, the clock is the system's, and the invariants hold. */
  async reset(): Promise<void> {
    this.services.unreachable.clear();
    this.recorder.resetBehaviour();
    this.egress.resetBehaviour();
    await this.stack.moveClock(0);
    if (!this.app.isRunning) await this.start();
    await expectRecordingInvariants(this.stack, this.engine, { hasRooms: false });
  }

  call<C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> {
    return this.rpc.call(contract, input, 20_000);
  }

  newClass(overrides?: Partial<FakeRoom>): RecordedClass {
    return new RecordedClass(this, this.services.addRoom(overrides));
  }

  /** Stores a webhook as the gateway does. */
  async webhook(event: string, sid: string, rest: object): Promise<void> {
    await jetstream(this.nats).publish(liveKitSubject(event, sid), JSON.stringify({ event, ...rest }));
  }

  /** Sends an engine's event of a capture, independently of what the capture itself sends. */
  async report(capture: Capture, event: EgressEventName, change: Partial<EgressMessage> = {}): Promise<void> {
    await this.deliver(toWebhook(capture.toEvent(event, change)) as { event: string; egressInfo: EgressMessage });
  }

  /** Moves the domain clock to this time. */
  moveTo(at: Date): Promise<void> {
    return this.stack.moveClock(at.getTime() - Date.now());
  }

  metric(name: string, ...labels: string[]): Promise<number | undefined> {
    return metricSample(this.stack, 'recording', name, ...labels);
  }

  factsOf(room: string): Fact[] {
    return this.published.filter(({ data }) => data.sid === room).toSorted((a, b) => a.data.version - b.data.version);
  }

  /** Waits until every event of the outbox is published. */
  async drained(): Promise<void> {
    await allPublished(this.stack, 'recording');
    const [{ count } = { count: -1 }] = await this.stack.rows<{ count: number }>('SELECT count(*)::int FROM recording.outbox');
    await eventually(() => expect(new Set(this.published.map(({ id }) => id)).size).toBe(count));
  }

  private get environment(): Record<string, string> {
    return { RECORDING_ENGINE: this.kind };
  }

  private async deliver(webhook: { event: string; egressInfo: EgressMessage }): Promise<void> {
    await this.webhook(webhook.event, webhook.egressInfo.roomName, webhook);
  }

  private async readFacts(): Promise<void> {
    const stream = jetstream(this.nats);
    const manager = await stream.jetstreamManager();
    const name = 'recording-fixture';
    await manager.consumers.add('EVENTS', { durable_name: name, ack_policy: AckPolicy.None, filter_subject: 'evt.recording.>' });
    const consumer = await stream.consumers.get('EVENTS', name);
    await consumer.consume({
      callback: (message) => {
        const { id, type, data } = message.json<EventEnvelope<RecordingFact>>();
        this.published.push({ id, what: type.split('.')[1] ?? '', data });
      },
    });
  }
}
