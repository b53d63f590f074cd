/// <reference types="jest" />
import { newOrganization, type ApiClient } from '../api.js';
import { eventually } from '../eventually.js';
import { expectRecordingInvariants } from './recording-invariants.js';
import type { RunningStack } from '../running-stack.js';
import type { Capture } from './capture.js';
import { type Enter, RecordedRoom } from './recorded-room.js';
import type { SimulatedEngine } from './simulated-engine.js';

/** A stack whose recording service uses the engine under test. */
export interface RecordingSubject {
  stack: RunningStack;
  enter: Enter;
  /** Absent for a real engine, which cannot be made to fail on demand. */
  engine?: SimulatedEngine;
  /**
   * Additional checks of a real engine's film.
   * @throws if a check fails
   */
  inspect?(film: Buffer): Promise<void>;
  /** Milliseconds within which a start without a free recorder is refused. */
  refusesWithin: number;
  /** No recorder is available while `work` runs. */
  withoutRecorder<T>(work: () => Promise<T>): Promise<T>;
  /** kill -9 of the process that records the room, and a new process in its place. */
  loseRecorder(sid: string): Promise<void>;
  /** How long the engine may take to begin, and to deliver the file, in milliseconds. */
  patience: number;
}

/**
 * What every recording engine has to do, as a school's backend sees it through the recording service. With `withFaults` also how
 * its failures end, which requires a simulated engine.
 */
export function describeRecordingConformance(name: string, makeSubject: () => Promise<RecordingSubject>, withFaults = true): void {
  describe(`recording engine: ${name}`, () => {
    let subject: RecordingSubject;
    let api: ApiClient;
    beforeAll(async () => {
      subject = await makeSubject();
      ({ api } = await newOrganization(subject.stack));
    }, 120_000);
    afterEach(async () => {
      subject.engine?.behaveWell();
      await expectRecordingInvariants(subject.stack, subject.engine);
    }, 60_000);

    const open = (overrides: object = {}) => RecordedRoom.open(subject.stack, api, subject.enter, overrides);
    const reaches = (room: RecordedRoom, ...statuses: string[]) => room.reaches(statuses, subject.patience);

    it('records from start to stop, and the file matches its reported data', async () => {
      const room = await open({ title: 'Algebra I' });
      const started = await room.start();
      expect(started).toMatchObject({ status: 200, body: { data: { roomId: room.roomId, status: 'EGRESS_STARTING' } } });
      const { egressId } = started.body.data;
      expect(egressId).toMatch(/^EG_[A-Za-z0-9]{8,}$/);
      expect((await room.status()).isRecording).toBe(true);
      expect((await room.start()).body.error).toBe('RECORDING_IN_PROGRESS');
      const [active] = await reaches(room, 'ACTIVE');
      // From here on film has to run for the file to have a length.
      await eventually(async () => expect((await room.list())[0]?.duration).toBeGreaterThanOrEqual(2), subject.patience);
      expect((await room.stop(egressId)).body.data).toMatchObject({ egressId, status: 'EGRESS_ENDING', duration: expect.any(Number) });
      await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      const [done] = await reaches(room, 'COMPLETED');
      expect(done).toMatchObject({ recordingId: `rec_${egressId}`, startedAt: active?.startedAt });
      await room.end();
      const [file] = (await room.download()).body.data.files;
      expect(file.duration).toBe(done?.duration);
      const bytes = Buffer.from(await (await fetch(file.downloadUrl)).arrayBuffer());
      expect(bytes.length).toBe(file.size);
      expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
      if (subject.engine) expect(done?.duration).toBe(7);
      await subject.inspect?.(bytes);
    }, 90_000);

    it('stops at the end of the class', async () => {
      const room = await open();
      await room.started();
      await reaches(room, 'ACTIVE');
      await eventually(async () => expect((await room.list())[0]?.duration).toBeGreaterThanOrEqual(1), subject.patience);
      expect((await room.end()).body.data).toMatchObject({ wasRecording: true });
      await reaches(room, 'COMPLETED');
      expect((await room.download()).body.data.files).toHaveLength(1);
    }, 90_000);

    it('refuses a start in time if no recorder is free, and keeps nothing of it', async () => {
      const room = await open();
      await subject.withoutRecorder(async () => {
        const began = Date.now();
        expect(await room.start()).toMatchObject({ status: 503, body: { error: 'RECORDER_BUSY' } });
        expect(Date.now() - began).toBeLessThan(subject.refusesWithin);
        expect(await room.list()).toEqual([]);
        await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      });
      await eventually(() => room.started(), subject.patience);
      await room.end();
      await eventually(
        async () => expect((await room.list()).every(({ status }) => /COMPLETED|ABORTED/.test(status))).toBe(true),
        subject.patience,
      );
    }, 90_000);

    it('can be stopped before it began', async () => {
      subject.engine?.behave({ activeAfterMs: null });
      const room = await open();
      const egressId = await room.started();
      expect((await room.stop()).body.data).toEqual({ egressId, status: 'EGRESS_ENDING', duration: 0 });
      expect((await room.stop()).body.error).toBe('NO_ACTIVE_RECORDING');
      await eventually(async () => expect((await room.list())[0]?.status).toMatch(/ABORTED|COMPLETED/), subject.patience);
    }, 90_000);

    it('completes a recording whose recorder died with the captured part, or fails it, and frees the room', async () => {
      const room = await open();
      await room.started();
      await reaches(room, 'ACTIVE');
      await eventually(async () => expect((await room.list())[0]?.duration).toBeGreaterThanOrEqual(2), subject.patience);
      await subject.loseRecorder(room.sid);
      await eventually(async () => expect((await room.list())[0]?.status).toMatch(/COMPLETED|FAILED/), subject.patience);
      await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      await eventually(() => room.started(), subject.patience);
      await reaches(room, (await room.list())[0]?.status ?? '', 'ACTIVE');
      await eventually(async () => expect((await room.list())[1]?.duration).toBeGreaterThanOrEqual(1), subject.patience);
      await room.stop();
      await eventually(async () => expect((await room.list())[1]?.status).toBe('COMPLETED'), subject.patience);
    }, 120_000);

    if (withFaults) describeFaults(() => subject, open);
  });
}

/** Faults that only a simulated engine can produce on demand. */
function describeFaults(subject: () => RecordingSubject, open: (overrides?: object) => Promise<RecordedRoom>): void {
  const simulated = async (work: (engine: SimulatedEngine) => Promise<void>) => {
    const { engine } = subject();
    if (!engine) throw new Error('faults need a simulated engine');
    await work(engine);
  };
  const only = (engine: SimulatedEngine, { sid }: RecordedRoom): Capture => {
    const [capture, ...more] = engine.of(sid);
    if (!capture || more.length > 0) throw new Error(`${more.length + 1} captures`);
    return capture;
  };

  it(
    'stops a recording that was started although its caller got no answer',
    () =>
      simulated(async (engine) => {
        const room = await open();
        engine.behave({ losesAnswers: true, isMute: true });
        expect((await room.start()).status).toBe(503);
        expect(await room.list()).toEqual([]);
        await room.age(30);
        await eventually(() => expect(only(engine, room).isRunning).toBe(false));
        expect(await room.list()).toEqual([]);
        expect((await room.rows()).map(({ status }) => status)).toEqual(['REFUSED']);
      }),
    30_000,
  );

  it(
    'records as the caller was answered, or not at all, if events arrive instead of a lost answer',
    () =>
      simulated(async (engine) => {
        const room = await open();
        engine.behave({ losesAnswers: true, activeAfterMs: 500 });
        const { status } = await room.start();
        expect([200, 503]).toContain(status);
        if (status === 200) await room.stop();
        await eventually(() => expect(only(engine, room).isRunning).toBe(false));
        await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      }),
    30_000,
  );

  it(
    'starts a recording once more under its own id if it never begins, and then fails it',
    () =>
      simulated(async (engine) => {
        engine.behave({ activeAfterMs: null });
        const room = await open();
        const egressId = await room.started();
        await room.age(30);
        await eventually(() => expect(engine.of(room.sid)).toHaveLength(2));
        await eventually(() => expect(engine.of(room.sid)[0]?.status).toBe('EGRESS_ABORTED'));
        await eventually(async () => expect((await room.rows())[0]?.engineIds).toHaveLength(2));
        expect(await room.list()).toMatchObject([{ recordingId: `rec_${egressId}`, status: 'STARTING' }]);
        await room.age(30);
        expect(await room.reaches(['FAILED'])).toMatchObject([{ recordingId: `rec_${egressId}` }]);
        expect((await room.rows())[0]?.reason).toBe('The recording did not begin in time');
        // Both follow the row: the engine is asked to stop, and the room is notified that it is not being recorded.
        await eventually(() => expect(engine.of(room.sid).map(({ isRunning }) => isRunning)).toEqual([false, false]));
        await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      }),
    30_000,
  );

  it(
    'makes one recording with one file if the second attempt begins',
    () =>
      simulated(async (engine) => {
        engine.behave({ activeAfterMs: null });
        const room = await open();
        const egressId = await room.started();
        // Slow enough for the end of the first attempt to arrive before the start of the second.
        engine.behave({ activeAfterMs: 100, acceptsAfterMs: 700 });
        await room.age(30);
        expect(await room.reaches(['ACTIVE'])).toMatchObject([{ recordingId: `rec_${egressId}` }]);
        await room.stop(egressId);
        await room.reaches(['COMPLETED']);
        await room.end();
        expect((await room.download()).body.data.files).toHaveLength(1);
      }),
    30_000,
  );

  it(
    'fails a recording with a reason if its file cannot be stored',
    () =>
      simulated(async (engine) => {
        engine.behave({ failsUpload: true });
        const room = await open();
        await room.started();
        await room.reaches(['ACTIVE']);
        await room.stop();
        await room.reaches(['FAILED']);
        expect((await room.rows())[0]?.reason).toBe('Could not upload the file');
      }),
    30_000,
  );

  it(
    'keeps the whole file of a recording that reaches the engine’s limit',
    () =>
      simulated(async (engine) => {
        const room = await open();
        await room.started();
        await room.reaches(['ACTIVE']);
        only(engine, room).reachLimit();
        expect(await room.reaches(['COMPLETED'])).toMatchObject([{ duration: 7 }]);
        await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      }),
    30_000,
  );

  it(
    'learns the state from the engine if events are lost',
    () =>
      simulated(async (engine) => {
        engine.behave({ isMute: true });
        const room = await open();
        await room.started();
        await eventually(() => expect(only(engine, room).status).toBe('EGRESS_ACTIVE'));
        await room.age(30);
        await room.reaches(['ACTIVE']);
        await room.stop();
        await eventually(() => expect(only(engine, room).status).toBe('EGRESS_COMPLETE'));
        await room.age(30);
        await room.reaches(['COMPLETED']);
      }),
    30_000,
  );
}
