import { Bucket, eventually, expectRecordingInvariants, type Capture, type RecordedRoom, type RecordingState } from '@classroom/testing';
import { startRecordingFixture, type RecordingFixture } from '../system/recording-fixture.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The whole system with a simulated recorder, and what tests of its faults do with it. */
export class RecordingScene {
  readonly bucket: Bucket;

  private constructor(readonly fixture: RecordingFixture) {
    this.bucket = Bucket.of(fixture.stack);
  }

  static async start(): Promise<RecordingScene> {
    return new RecordingScene(await startRecordingFixture());
  }

  /** After each test: everything works again, the clock is the system's, and the invariants hold. */
  async reset(): Promise<void> {
    const { stack, recorder } = this.fixture;
    recorder.resetBehaviour();
    if (!this.service.isRunning) await this.service.start();
    await stack.moveClock(0);
    await expectRecordingInvariants(stack, recorder);
  }

  get service(): ReturnType<RecordingFixture['stack']['app']> {
    return this.fixture.stack.app('recording');
  }

  /** Starts the service so that it crashes at `failpoint`, by work that is already waiting or by `provoke`, and waits for the crash. */
  async crashAt(failpoint: string, provoke: () => Promise<unknown>, kind: 'egress' | 'embedded' = 'embedded'): Promise<void> {
    const { service } = this;
    await service.stop();
    service.launch({ ...this.fixture.environmentOf(kind), FAILPOINTS: `recording.${failpoint}=crash` });
    // The caller would wait long for an answer that never comes, so this is not awaited.
    void service
      .ready()
      .then(provoke)
      .catch(() => undefined);
    expect((await service.exited).signal).toBe('SIGKILL');
  }

  captureOf({ sid }: RecordedRoom): Capture {
    const capture = this.fixture.recorder.of(sid).at(-1);
    if (!capture) throw new Error(`nothing was captured in ${sid}`);
    return capture;
  }

  async objectsOf({ sid }: RecordedRoom): Promise<string[]> {
    return [...(await this.bucket.list('recordings/')).keys()].filter((key) => key.includes(sid));
  }

  /** Of the room's first recording. */
  async deadlinesOf(room: RecordedRoom): Promise<RecordingState | undefined> {
    return (await room.rows())[0];
  }

  /** A class that has ended, with its recording. */
  async finished(): Promise<RecordedRoom> {
    const room = await this.fixture.open();
    await room.recorded();
    await room.end();
    await eventually(async () =>
      expect(await this.deadlinesOf(room)).toMatchObject({ classEndedAt: expect.any(Date), deleteAt: expect.any(Date) }),
    );
    return room;
  }
}
