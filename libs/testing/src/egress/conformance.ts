/// <reference types="jest" />
import { first } from '../api.js';
import { eventually } from '../eventually.js';
import type { ListedRecording, RecordableRoom } from './recorded-room.js';
import type { SimulatedEngine } from './simulated-engine.js';

/** A recording service that uses the engine under test. */
export interface RecordingSubject {
  /** Resolves when the room is live. */
  open(overrides?: { title?: string }): Promise<RecordableRoom>;
  /** @throws if an invariant is broken once no work is in progress */
  expectInvariants(): Promise<void>;
  /** Absent for a real engine, which cannot be made to fail on demand. */
  engine?: SimulatedEngine;
  /**
   * Additional checks of a real engine's film.
   * @throws if a check fails
   */
  inspect?(film: Buffer): Promise<void>;
  /** No recorder is available while `work` runs. */
  withoutRecorder<T>(work: () => Promise<T>): Promise<T>;
  /** kill -9 of the process that records the room, and a new process in its place. */
  loseRecorder(sid: string): Promise<void>;
}

/**
 * What every recording engine has to do, as a school's backend sees it through the recording service.
 * @param more registers the cases that take a real engine long
 */
export function describeRecordingConformance(name: string, makeSubject: () => Promise<RecordingSubject>, more = it): void {
  describe(`recording engine: ${name}`, () => {
    let subject: RecordingSubject;
    beforeAll(async () => {
      subject = await makeSubject();
    });
    afterEach(async () => {
      subject.engine?.resetBehaviour();
      await subject.expectInvariants();
    });

    const open = (overrides?: { title?: string }) => subject.open(overrides);
    /** Waits until the list has exactly these statuses, in this order. */
    const reaches = (room: RecordableRoom, ...statuses: string[]): Promise<ListedRecording[]> =>
      eventually(async () => {
        const list = await room.list();
        expect(list.map(({ status }) => status)).toEqual(statuses);
        return list;
      });
    const started = async (room: RecordableRoom): Promise<string> => {
      const { status, body } = await room.start();
      expect([status, body.error]).toEqual([200, undefined]);
      return body.data.egressId;
    };

    it('records from start to stop, and the file matches its reported data', async () => {
      const room = await open({ title: 'Algebra I' });
      const answer = await room.start();
      expect(answer).toMatchObject({ status: 200, body: { data: { roomId: room.roomId, status: 'EGRESS_STARTING' } } });
      const { egressId } = answer.body.data;
      expect(egressId).toMatch(/^EG_[A-Za-z0-9]{8,}$/);
      expect((await room.status()).isRecording).toBe(true);
      expect((await room.start()).body.error).toBe('RECORDING_IN_PROGRESS');
      const [active] = await reaches(room, 'ACTIVE');
      // From here on film has to run for the file to have a length.
      await eventually(async () => expect((await room.list())[0]?.duration).toBeGreaterThanOrEqual(1));
      expect((await room.stop(egressId)).body.data).toMatchObject({ egressId, status: 'EGRESS_ENDING', duration: expect.any(Number) });
      await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      const [done] = await reaches(room, 'COMPLETED');
      expect(done).toMatchObject({ recordingId: `rec_${egressId}`, startedAt: active?.startedAt });
      await room.end();
      const file = first((await room.download()).body.data.files);
      expect(file.duration).toBe(done?.duration);
      const bytes = Buffer.from(await (await fetch(file.downloadUrl)).arrayBuffer());
      expect(bytes.length).toBe(file.size);
      expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
      if (subject.engine) expect(done?.duration).toBe(7);
      await subject.inspect?.(bytes);
    });

    more('stops at the end of the class', async () => {
      const room = await open();
      await started(room);
      await reaches(room, 'ACTIVE');
      await eventually(async () => expect((await room.list())[0]?.duration).toBeGreaterThanOrEqual(1));
      expect((await room.end()).body.data).toMatchObject({ wasRecording: true });
      await reaches(room, 'COMPLETED');
      expect((await room.download()).body.data.files).toHaveLength(1);
    });

    more('refuses a start if no recorder is free, and keeps nothing of it', async () => {
      const room = await open();
      await subject.withoutRecorder(async () => {
        expect(await room.start()).toMatchObject({ status: 503, body: { error: 'RECORDER_BUSY' } });
        expect(await room.list()).toEqual([]);
        await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      });
      await eventually(() => started(room));
      await room.end();
      await eventually(async () => expect((await room.list()).every(({ status }) => /COMPLETED|ABORTED/.test(status))).toBe(true));
    });

    more('can be stopped before it began', async () => {
      subject.engine?.behave({ activeAfterMs: null });
      const room = await open();
      const egressId = await started(room);
      expect((await room.stop()).body.data).toMatchObject({ egressId, status: 'EGRESS_ENDING', duration: 0 });
      expect((await room.stop()).body.error).toBe('NO_ACTIVE_RECORDING');
      await eventually(async () => expect((await room.list())[0]?.status).toMatch(/ABORTED|COMPLETED/));
    });

    it('completes a recording whose recorder died with the captured part, or fails it, and frees the room', async () => {
      const room = await open();
      await started(room);
      await reaches(room, 'ACTIVE');
      await eventually(async () => expect((await room.list())[0]?.duration).toBeGreaterThanOrEqual(1));
      await subject.loseRecorder(room.sid);
      await eventually(async () => expect((await room.list())[0]?.status).toMatch(/COMPLETED|FAILED/));
      await eventually(async () => expect((await room.status()).isRecording).toBe(false));
      await eventually(() => started(room));
      await reaches(room, (await room.list())[0]?.status ?? '', 'ACTIVE');
      await eventually(async () => expect((await room.list())[1]?.duration).toBeGreaterThanOrEqual(1));
      await room.stop();
      await eventually(async () => expect((await room.list())[1]?.status).toBe('COMPLETED'));
    });
  });
}
