import { randomUUID } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { roomFinished } from '@classroom/contracts';
import {
  Bucket,
  type Capture,
  type EgressEventName,
  type EgressMessage,
  eventually,
  expectRecordingInvariants,
  inLongForm,
  makeFilm,
  newRoom,
  postWebhook,
  purgeFacts,
  type RecordedRoom,
  sleep,
} from '@classroom/testing';
import { startRecordingFixture, type RecordingFixture } from '../system/recording-fixture.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a recording under faults', () => {
  let fixture: RecordingFixture;
  let bucket: Bucket;
  beforeAll(async () => {
    fixture = await startRecordingFixture();
    bucket = Bucket.of(fixture.stack);
  });
  afterEach(async () => {
    fixture.recorder.resetBehaviour();
    if (!service().isRunning) await service().start();
    await fixture.stack.moveClock(0);
    await expectRecordingInvariants(fixture.stack, fixture.recorder);
  });
  afterAll(() => fixture?.stop());

  const open = (overrides?: object) => fixture.open(overrides);
  const service = () => fixture.stack.app('recording');
  /** Starts the service so that it crashes at `failpoint`, by work that is already waiting or by `provoke`, and waits for the crash. */
  async function crashAt(failpoint: string, provoke: () => Promise<unknown>, kind: 'egress' | 'embedded' = 'embedded'): Promise<void> {
    await service().stop();
    service().launch({ ...fixture.environmentOf(kind), FAILPOINTS: `recording.${failpoint}=crash` });
    // The caller would wait long for an answer that never comes, so this is not awaited.
    void service()
      .ready()
      .then(provoke)
      .catch(() => undefined);
    expect((await service().exited).signal).toBe('SIGKILL');
  }
  const captureOf = ({ sid }: RecordedRoom): Capture => {
    const capture = fixture.recorder.of(sid).at(-1);
    if (!capture) throw new Error(`nothing was captured in ${sid}`);
    return capture;
  };
  const objectsOf = async ({ sid }: RecordedRoom) => [...(await bucket.list('recordings/')).keys()].filter((key) => key.includes(sid));
  /** A class that has ended, with its recording. */
  const finished = async () => {
    const room = await open();
    await room.recorded();
    await room.end();
    await eventually(async () =>
      expect(await deadlinesOf(room)).toMatchObject({ classEndedAt: expect.any(Date), deleteAt: expect.any(Date) }),
    );
    return room;
  };
  const deadlinesOf = async ({ sid }: RecordedRoom) =>
    (
      await fixture.stack.rows<{ classEndedAt: Date | null; deleteAt: Date | null; deletedAt: Date | null; completedAt: Date | null }>(
        `SELECT class_ended_at AS "classEndedAt", delete_at AS "deleteAt", deleted_at AS "deletedAt", completed_at AS "completedAt"
           FROM recording.recordings WHERE sid = $1`,
        [sid],
      )
    )[0];

  describe('whose engine’s events', () => {
    /** Posts an event as LiveKit would, independently of what the simulated capture sends. */
    const sendEvent = async (room: RecordedRoom, event: EgressEventName, change: Partial<EgressMessage>) => {
      const { egressInfo, ...rest } = captureOf(room).toEvent(event, change);
      expect(await postWebhook(fixture.stack, { ...rest, egressInfo })).toBe(200);
    };

    it('are repeated and reversed is completed once', async () => {
      const room = await open();
      fixture.recorder.behave({ isMute: true });
      await room.started();
      await eventually(() => expect(captureOf(room).status).toBe('EGRESS_ACTIVE'));
      captureOf(room).roomClosed();
      await eventually(() => expect(captureOf(room).status).toBe('EGRESS_COMPLETE'));
      for (let twice = 0; twice < 2; twice++) {
        await sendEvent(room, 'egress_ended', {});
        await sendEvent(room, 'egress_updated', { status: 'EGRESS_ENDING', fileResults: [] });
        await sendEvent(room, 'egress_updated', { status: 'EGRESS_ACTIVE', fileResults: [], endedAt: '0' });
        await sendEvent(room, 'egress_started', { status: 'EGRESS_STARTING', fileResults: [], endedAt: '0' });
      }
      const [done] = await room.reaches(['COMPLETED']);
      expect(done?.duration).toBe(7);
      await sendEvent(room, 'egress_ended', { status: 'EGRESS_FAILED', fileResults: [], error: 'late' });
      await expectRecordingInvariants(fixture.stack, fixture.recorder);
      const facts = await fixture.stack.rows<{ status: string }>(
        `SELECT body::json->'data'->>'status' AS status FROM recording.outbox
          WHERE body::json->'data'->>'sid' = $1 ORDER BY (body::json->'data'->>'version')::int`,
        [room.sid],
      );
      expect(facts.map(({ status }) => status).filter((status) => status === 'COMPLETED')).toHaveLength(1);
      expect(facts.at(-1)?.status).toBe('COMPLETED');
    });

    inLongForm(it)(
      'arrive after it was stopped before it began stays aborted',
      async () => {
        const room = await open();
        fixture.recorder.behave({ activeAfterMs: null });
        await room.started();
        await room.stop();
        await room.reaches(['ABORTED']);
        await sendEvent(room, 'egress_updated', { status: 'EGRESS_ACTIVE' });
        await sendEvent(room, 'egress_started', { status: 'EGRESS_STARTING' });
        fixture.recorder.resetBehaviour();
        await room.recorded();
        await room.reaches(['ABORTED', 'COMPLETED']);
        expect((await room.status()).isRecording).toBe(false);
      },
      30_000,
    );

    inLongForm(it)(
      'begin only after the end of the class is stopped and completed',
      async () => {
        const room = await open();
        fixture.recorder.behave({ isMute: true });
        await crashAt('start.after-engine', () => room.start());
        await service().start();
        await eventually(() => expect(captureOf(room).status).toBe('EGRESS_ACTIVE'));
        await room.end();
        await eventually(async () => expect((await deadlinesOf(room))?.classEndedAt).toBeInstanceOf(Date));
        await sendEvent(room, 'egress_updated', {});
        await eventually(async () => {
          await room.age(30);
          expect(await room.list()).toMatchObject([{ status: 'COMPLETED', duration: 7 }]);
        });
      },
      60_000,
    );

    inLongForm(it)(
      'report a failure and a file is completed, in either order',
      async () => {
        for (const order of [
          ['EGRESS_FAILED', 'EGRESS_COMPLETE'],
          ['EGRESS_COMPLETE', 'EGRESS_FAILED'],
        ] as const) {
          const room = await open();
          fixture.recorder.behave({ isMute: true });
          await room.started();
          await eventually(() => expect(captureOf(room).status).toBe('EGRESS_ACTIVE'));
          captureOf(room).roomClosed();
          await eventually(() => expect(captureOf(room).status).toBe('EGRESS_COMPLETE'));
          for (const status of order) await sendEvent(room, 'egress_ended', status === 'EGRESS_FAILED' ? { status, fileResults: [] } : {});
          await room.reaches(['COMPLETED']);
        }
      },
      30_000,
    );
  });

  describe('whose recorder', () => {
    const isMissed = async ({ sid }: RecordedRoom) =>
      (await fixture.stack.rows('SELECT 1 FROM recording.recordings WHERE sid = $1 AND missing_since IS NOT NULL', [sid])).length === 1;

    it('is lost fails with a reason, frees the room, and is completed by a file that appears later', async () => {
      const room = await open();
      const egressId = await room.started();
      await room.reaches(['ACTIVE']);
      captureOf(room).vanish();
      await room.age(30);
      await eventually(async () => expect(await isMissed(room)).toBe(true));
      expect((await room.list())[0]?.status).toBe('ACTIVE');
      await room.age(30);
      await room.reaches(['FAILED']);
      expect((await room.rows())[0]).toMatchObject({ reason: 'The recorder was lost', egressId });
      expect((await room.status()).isRecording).toBe(false);
      const [lost] = fixture.recorder.of(room.sid);
      await room.started();
      await lost?.recover();
      await room.reaches(['COMPLETED', 'ACTIVE']);
      await room.stop();
      await room.reaches(['COMPLETED', 'COMPLETED']);
    });

    inLongForm(it)(
      'is unreachable for a while continues',
      async () => {
        const room = await open();
        await room.started();
        await room.reaches(['ACTIVE']);
        fixture.recorder.behave({ isUnreachable: true });
        await room.age(30);
        await eventually(async () => expect(await isMissed(room)).toBe(true));
        fixture.recorder.resetBehaviour();
        await room.age(30);
        await eventually(async () => expect(await isMissed(room)).toBe(false));
        await room.reaches(['ACTIVE']);
        await room.stop();
        await room.reaches(['COMPLETED']);
      },
      30_000,
    );

    inLongForm(it)(
      'takes the job while the class ends is stopped',
      async () => {
        const room = await open();
        fixture.recorder.behave({ acceptsAfterMs: 1_000 });
        const starting = room.start();
        await sleep(400);
        await room.end();
        await starting;
        await eventually(() => expect(captureOf(room).isRunning).toBe(false));
        await eventually(async () => expect((await room.list())[0]?.status).toMatch(/COMPLETED|ABORTED/));
      },
      30_000,
    );

    inLongForm(it)(
      'is free only later starts by autoRecord, even if the class began while the service was down',
      async () => {
        fixture.recorder.behave({ slots: 0 });
        await service().stop();
        const { roomId, sid } = await newRoom(fixture.api, { settings: { autoRecord: true } });
        const { sid: teacher } = await fixture.livekit.connect({ room: sid, identity: 'teacher', attributes: { role: 'TEACHER' } });
        await fixture.livekit.publish(teacher);
        await sleep(300);
        await service().start();
        const list = async () => (await fixture.api.get(`/v1/room/${roomId}/recordings`)).body.data as { status: string }[];
        await eventually(async () => {
          const rows = await fixture.stack.rows(`SELECT 1 FROM recording.recordings WHERE sid = $1 AND status = 'REFUSED'`, [sid]);
          expect(rows).not.toHaveLength(0);
        });
        expect(await list()).toEqual([]);
        fixture.recorder.resetBehaviour();
        await eventually(async () => expect(await list()).toMatchObject([{ status: 'ACTIVE' }]));
        await fixture.api.post(`/v1/room/${roomId}/recording/stop`);
        await eventually(async () => expect(await list()).toMatchObject([{ status: 'COMPLETED' }]));
      },
      40_000,
    );
  });

  inLongForm(it)(
    'ends the same whether its end or the end of the class is processed first',
    async () => {
      const result = async (room: RecordedRoom) => {
        await room.reaches(['COMPLETED']);
        await eventually(async () => expect((await deadlinesOf(room))?.deleteAt).toBeInstanceOf(Date));
        const { classEndedAt, deleteAt } = (await deadlinesOf(room)) ?? {};
        const [file] = (await room.download()).body.data.files;
        return { reserveMs: (deleteAt?.getTime() ?? 0) - (classEndedAt?.getTime() ?? 0), size: file.size, duration: file.duration };
      };
      const begun = async (isMute: boolean) => {
        fixture.recorder.behave({ isMute });
        const room = await open();
        await room.started();
        await eventually(() => expect(captureOf(room).status).toBe('EGRESS_ACTIVE'));
        return room;
      };
      const classFirst = await begun(false);
      await classFirst.end();
      const recordingFirst = await begun(false);
      captureOf(recordingFirst).roomClosed();
      await recordingFirst.reaches(['COMPLETED']);
      await recordingFirst.end();
      // Both events wait while the service is down, in two different streams.
      const together = await begun(false);
      await service().stop();
      await together.end();
      captureOf(together).roomClosed();
      await fixture.recorder.settled();
      await service().start();
      const results = [await result(classFirst), await result(recordingFirst), await result(together)];
      expect(results).toEqual(results.map(() => ({ reserveMs: 6 * HOUR_MS, size: captureOf(together).film.length, duration: 7 })));
    },
    40_000,
  );

  inLongForm(it)(
    'waits for its completion or its deletion while the storage is unreachable',
    async () => {
      const old = await finished();
      const fresh = await open();
      await fresh.started();
      await fresh.reaches(['ACTIVE']);
      fixture.recorder.behave({ uploadsAfterMs: 60_000 });
      const film = captureOf(fresh);
      await fixture.stack.part('s3').stop();
      // The engine's event arrives before the file is visible in the storage.
      const { egressInfo, ...rest } = film.toEvent('egress_ended', { status: 'EGRESS_COMPLETE' });
      film.vanish();
      await postWebhook(fixture.stack, { ...rest, egressInfo });
      await fixture.stack.moveClock(6 * HOUR_MS + 60_000);
      await fresh.reaches(['ENDING']);
      expect((await old.download()).status).toBe(410);
      await sleep(2_500);
      await fresh.reaches(['ENDING']);
      expect((await deadlinesOf(old))?.deletedAt).toBeNull();
      await fixture.stack.part('s3').start();
      await bucket.put(film.order.objectKey, film.film);
      await fresh.reaches(['COMPLETED']);
      await eventually(async () => expect(await objectsOf(old)).toEqual([]));
      await eventually(async () => expect((await deadlinesOf(old))?.deletedAt).toBeInstanceOf(Date));
    },
    60_000,
  );

  inLongForm(it)(
    'fails if the engine reports it as complete and its file never appears in the storage',
    async () => {
      const room = await open();
      await room.started();
      await room.reaches(['ACTIVE']);
      const { egressInfo, ...rest } = captureOf(room).toEvent('egress_ended', { status: 'EGRESS_COMPLETE' });
      captureOf(room).vanish();
      await postWebhook(fixture.stack, { ...rest, egressInfo });
      await room.reaches(['ENDING']);
      await fixture.stack.rows('UPDATE recording.recordings SET finalize_tries = 6, finalize_at = now() WHERE sid = $1', [room.sid]);
      await room.reaches(['FAILED']);
      expect((await room.rows())[0]?.reason).toMatch(/is not/);
    },
    30_000,
  );

  it('is completed and deleted without Redis', async () => {
    await fixture.stack.part('redis').stop();
    const room = await open();
    await room.recorded();
    await room.end();
    await eventually(async () => expect((await deadlinesOf(room))?.deleteAt).toBeInstanceOf(Date));
    await fixture.stack.moveClock(6 * HOUR_MS + 60_000);
    await eventually(async () => expect(await objectsOf(room)).toEqual([]));
    await fixture.stack.part('redis').start();
    await eventually(async () => expect((await deadlinesOf(room))?.deletedAt).toBeInstanceOf(Date));
  });

  inLongForm(describe)('is deleted', () => {
    it('with its open uploads if it was due while the service was down, and a day later with late files', async () => {
      const room = await finished();
      const [objectKey = ''] = await objectsOf(room);
      await bucket.leaveUpload(`${objectKey}.part`, Buffer.alloc(1_000));
      await service().stop();
      await fixture.stack.part('redis').restart();
      await service().start();
      await fixture.stack.moveClock(6 * HOUR_MS + 60_000);
      await eventually(async () => expect((await deadlinesOf(room))?.deletedAt).toBeInstanceOf(Date));
      expect(await objectsOf(room)).toEqual([]);
      expect(await bucket.uploads('recordings/')).toEqual([]);
      expect(await room.list()).toMatchObject([{ status: 'COMPLETED' }]);

      await bucket.put(objectKey, makeFilm({ seconds: 1 }));
      await bucket.leaveUpload(`${objectKey}.late`, Buffer.alloc(1_000));
      await fixture.stack.moveClock(6 * HOUR_MS + DAY_MS + 120_000);
      await eventually(async () => expect(await objectsOf(room)).toEqual([]));
      await eventually(async () => expect(await bucket.uploads('recordings/')).toEqual([]));
      await eventually(async () => expect((await deadlinesOf(room))?.deleteAt).toBeNull());
    });

    it('by the audit if no row keeps it, or if the end of its class was lost', async () => {
      const deleted = await finished();
      const [objectKey = ''] = await objectsOf(deleted);
      await fixture.stack.moveClock(6 * HOUR_MS + 60_000);
      await eventually(async () => expect(await objectsOf(deleted)).toEqual([]));
      await fixture.stack.moveClock(6 * HOUR_MS + DAY_MS + 120_000);
      await eventually(async () => expect((await deadlinesOf(deleted))?.deleteAt).toBeNull());
      await fixture.stack.moveClock(0);

      const withoutEndFact = await open();
      await withoutEndFact.recorded();
      const kept = await finished();
      await service().stop();
      expect((await withoutEndFact.end()).status).toBe(200);
      await eventually(async () => expect(await purgeFacts(fixture.stack, roomFinished, withoutEndFact.sid)).toBeGreaterThan(0));
      const folder = objectKey.split('/').slice(0, 3).join('/');
      const [old, young] = [`${folder}/${randomUUID()}/1.mp4`, `${folder}/${randomUUID()}/1.mp4`];
      for (const key of [objectKey, old, young]) await bucket.put(key, makeFilm({ seconds: 1 }));
      const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
      utimesSync(join(fixture.stack.home, 's3', 'buckets', 'classroom', old), twoDaysAgo, twoDaysAgo);
      await service().start();
      await eventually(async () => {
        const left = await bucket.list(`${folder.split('/').slice(0, 2).join('/')}/`);
        expect([left.has(objectKey), left.has(old), left.has(young)]).toEqual([false, false, true]);
      });
      expect(await objectsOf(kept)).toHaveLength(1);
      await eventually(async () => expect((await deadlinesOf(withoutEndFact))?.classEndedAt).toBeInstanceOf(Date));
      await bucket.delete(young);
    });
  });

  inLongForm(it)(
    'is completed and deleted once, even if the service is killed at each step',
    async () => {
      const activeOnes = async () => {
        await service().start();
        const rooms = [await open(), await open(), await open()];
        for (const room of rooms) await room.started();
        for (const room of rooms) await room.reaches(['ACTIVE']);
        return rooms;
      };
      const deleted = await finished();
      const late = () => fixture.stack.moveClock(6 * HOUR_MS + 60_000);
      await crashAt('delete.before-storage', late);
      expect(await objectsOf(deleted)).toHaveLength(1);

      const viaEgress = await open();
      await crashAt('start.after-engine', () => viaEgress.start(), 'egress');
      const [unnamed] = fixture.egress.of(viaEgress.sid);
      await eventually(() => expect(unnamed?.status).toBe('EGRESS_ACTIVE'));
      unnamed?.roomClosed();
      await eventually(() => expect(unnamed?.status).toBe('EGRESS_COMPLETE'));
      await fixture.egress.settled();

      const reserved = await open();
      await crashAt('start.after-reserve', () => reserved.start());
      // Their events arrive while no process of the service runs, or crash the one that processes them.
      const taken: RecordedRoom[] = [];
      for (const step of ['start.after-engine', 'egress.before-transaction', 'egress.before-commit', 'egress.after-commit']) {
        const room = await open();
        await crashAt(step, () => room.start());
        if (fixture.recorder.of(room.sid).length > 0) taken.push(room);
      }
      const stopped = await activeOnes();
      for (const [at, step] of ['stop.after-commit', 'finalize.before-storage', 'finalize.before-commit'].entries()) {
        await crashAt(step, () => stopped[at]?.stop() ?? Promise.reject(new Error('no room')));
      }
      await service().start();
      await late();

      // No engine was asked for this capture, so it can be started again.
      await reserved.age(30);
      await eventually(() => reserved.started());
      await reserved.reaches(['ACTIVE']);
      for (const room of [...taken, ...stopped, reserved]) await room.end();
      for (const room of [...taken, ...stopped, reserved, viaEgress]) {
        await eventually(async () => {
          await room.age(30);
          expect(await room.list()).toMatchObject([{ status: 'COMPLETED', duration: 7 }]);
        });
      }
      await viaEgress.end();
      for (const room of [...taken, ...stopped, reserved]) expect(await objectsOf(room)).toHaveLength(1);
      await eventually(async () => expect((await deadlinesOf(deleted))?.deletedAt).toBeInstanceOf(Date));
      expect(await objectsOf(deleted)).toEqual([]);

      const second = await finished();
      await crashAt('delete.before-commit', () => fixture.stack.moveClock(7 * HOUR_MS + 60_000));
      await service().start();
      await fixture.stack.moveClock(7 * HOUR_MS + 60_000);
      await eventually(async () => {
        for (const room of [second, ...taken, ...stopped, reserved]) expect((await deadlinesOf(room))?.deletedAt).toBeInstanceOf(Date);
      });
    },
    180_000,
  );
});
