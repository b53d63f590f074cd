import type { RecordingFact } from '@classroom/contracts';
import {
  eventually,
  expectRecordingInvariants,
  factsWith,
  newRoom,
  postWebhook,
  recordingsOf,
  sleep,
  type EgressEventName,
  type EgressMessage,
  type RecordedRoom,
} from '@classroom/testing';
import { describeDeletions } from './recording-deletions.js';
import { HOUR_MS, RecordingScene } from './recording-scene.js';

describe('a recording under faults', () => {
  let scene: RecordingScene;
  beforeAll(async () => {
    scene = await RecordingScene.start();
  });
  afterEach(() => scene.reset());
  afterAll(() => scene?.fixture.stop());

  describe('whose engine’s events', () => {
    /** Posts an event as LiveKit would, independently of what the simulated capture sends. */
    const sendEvent = async (room: RecordedRoom, event: EgressEventName, change: Partial<EgressMessage>) => {
      const { egressInfo, ...rest } = scene.captureOf(room).toEvent(event, change);
      expect(await postWebhook(scene.fixture.stack, { ...rest, egressInfo })).toBe(200);
    };

    it('are repeated and reversed is completed once', async () => {
      const room = await scene.fixture.open();
      scene.fixture.recorder.behave({ isMute: true });
      await room.started();
      await eventually(() => expect(scene.captureOf(room).status).toBe('EGRESS_ACTIVE'));
      scene.captureOf(room).roomClosed();
      await eventually(() => expect(scene.captureOf(room).status).toBe('EGRESS_COMPLETE'));
      for (let twice = 0; twice < 2; twice++) {
        await sendEvent(room, 'egress_ended', {});
        await sendEvent(room, 'egress_updated', { status: 'EGRESS_ENDING', fileResults: [] });
        await sendEvent(room, 'egress_updated', { status: 'EGRESS_ACTIVE', fileResults: [], endedAt: '0' });
        await sendEvent(room, 'egress_started', { status: 'EGRESS_STARTING', fileResults: [], endedAt: '0' });
      }
      const [done] = await room.reaches(['COMPLETED']);
      expect(done?.duration).toBe(7);
      await sendEvent(room, 'egress_ended', { status: 'EGRESS_FAILED', fileResults: [], error: 'late' });
      await expectRecordingInvariants(scene.fixture.stack, scene.fixture.recorder);
      const facts = (await factsWith(scene.fixture.stack, 'recording', { sid: room.sid })).map(({ data }) => data as RecordingFact);
      expect(facts.filter(({ status }) => status === 'COMPLETED')).toHaveLength(1);
      expect(facts.toSorted((a, b) => a.version - b.version).at(-1)?.status).toBe('COMPLETED');
    });

    it('arrive after it was stopped before it began stays aborted', async () => {
      const room = await scene.fixture.open();
      scene.fixture.recorder.behave({ activeAfterMs: null });
      await room.started();
      await room.stop();
      await room.reaches(['ABORTED']);
      await sendEvent(room, 'egress_updated', { status: 'EGRESS_ACTIVE' });
      await sendEvent(room, 'egress_started', { status: 'EGRESS_STARTING' });
      scene.fixture.recorder.resetBehaviour();
      await room.recorded();
      await room.reaches(['ABORTED', 'COMPLETED']);
      expect((await room.status()).isRecording).toBe(false);
    });

    it('begin only after the end of the class is stopped and completed', async () => {
      const room = await scene.fixture.open();
      scene.fixture.recorder.behave({ isMute: true });
      await scene.crashAt('start.after-engine', () => room.start());
      await scene.service.start();
      await eventually(() => expect(scene.captureOf(room).status).toBe('EGRESS_ACTIVE'));
      await room.end();
      await eventually(async () => expect((await scene.deadlinesOf(room))?.classEndedAt).toBeInstanceOf(Date));
      await sendEvent(room, 'egress_updated', {});
      await eventually(async () => {
        await room.age(30);
        expect(await room.list()).toMatchObject([{ status: 'COMPLETED', duration: 7 }]);
      });
    });

    it('report a failure and a file is completed, in either order', async () => {
      for (const order of [
        ['EGRESS_FAILED', 'EGRESS_COMPLETE'],
        ['EGRESS_COMPLETE', 'EGRESS_FAILED'],
      ] as const) {
        const room = await scene.fixture.open();
        scene.fixture.recorder.behave({ isMute: true });
        await room.started();
        await eventually(() => expect(scene.captureOf(room).status).toBe('EGRESS_ACTIVE'));
        scene.captureOf(room).roomClosed();
        await eventually(() => expect(scene.captureOf(room).status).toBe('EGRESS_COMPLETE'));
        for (const status of order) await sendEvent(room, 'egress_ended', status === 'EGRESS_FAILED' ? { status, fileResults: [] } : {});
        await room.reaches(['COMPLETED']);
      }
    });
  });

  describe('whose recorder', () => {
    const isMissed = async (room: RecordedRoom) => (await room.rows()).filter(({ missingSince }) => missingSince).length === 1;

    it('is lost fails with a reason, frees the room, and is completed by a file that appears later', async () => {
      const room = await scene.fixture.open();
      const egressId = await room.started();
      await room.reaches(['ACTIVE']);
      scene.captureOf(room).vanish();
      await room.age(30);
      await eventually(async () => expect(await isMissed(room)).toBe(true));
      expect((await room.list())[0]?.status).toBe('ACTIVE');
      // A call to the engine that gets no answer in time proves nothing: the next look, which aging makes due, asks again.
      await eventually(async () => {
        await room.age(30);
        expect((await room.list()).map(({ status }) => status)).toEqual(['FAILED']);
      });
      expect((await room.rows())[0]).toMatchObject({ reason: 'The recorder was lost', egressId });
      expect((await room.status()).isRecording).toBe(false);
      const [lost] = scene.fixture.recorder.of(room.sid);
      await room.started();
      await lost?.recover();
      await room.reaches(['COMPLETED', 'ACTIVE']);
      await room.stop();
      await room.reaches(['COMPLETED', 'COMPLETED']);
    });

    it('is unreachable for a while continues', async () => {
      const room = await scene.fixture.open();
      await room.started();
      await room.reaches(['ACTIVE']);
      scene.fixture.recorder.behave({ isUnreachable: true });
      await room.age(30);
      await eventually(async () => expect(await isMissed(room)).toBe(true));
      scene.fixture.recorder.resetBehaviour();
      await room.age(30);
      await eventually(async () => expect(await isMissed(room)).toBe(false));
      await room.reaches(['ACTIVE']);
      await room.stop();
      await room.reaches(['COMPLETED']);
    });

    it('takes the job while the class ends is stopped', async () => {
      const room = await scene.fixture.open();
      scene.fixture.recorder.behave({ acceptsAfterMs: 1_000 });
      const starting = room.start();
      await sleep(400);
      await room.end();
      await starting;
      await eventually(() => expect(scene.captureOf(room).isRunning).toBe(false));
      await eventually(async () => expect((await room.list())[0]?.status).toMatch(/COMPLETED|ABORTED/));
    });

    it('is free only later starts by autoRecord, even if the class began while the service was down', async () => {
      scene.fixture.recorder.behave({ slots: 0 });
      await scene.service.stop();
      const { roomId, sid } = await newRoom(scene.fixture.api, { settings: { autoRecord: true } });
      const { sid: teacher } = await scene.fixture.livekit.connect({ room: sid, identity: 'teacher', attributes: { role: 'TEACHER' } });
      await scene.fixture.livekit.publish(teacher);
      await sleep(300);
      await scene.service.start();
      const list = async () => (await scene.fixture.api.get(`/v1/room/${roomId}/recordings`)).body.data as { status: string }[];
      await eventually(async () => {
        const statuses = (await recordingsOf(scene.fixture.stack, sid)).map(({ status }) => status);
        expect(statuses).toContain('REFUSED');
      });
      expect(await list()).toEqual([]);
      scene.fixture.recorder.resetBehaviour();
      await eventually(async () => expect(await list()).toMatchObject([{ status: 'ACTIVE' }]));
      await scene.fixture.api.post(`/v1/room/${roomId}/recording/stop`);
      await eventually(async () => expect(await list()).toMatchObject([{ status: 'COMPLETED' }]));
    });
  });

  it('ends the same whether its end or the end of the class is processed first', async () => {
    const result = async (room: RecordedRoom) => {
      await room.reaches(['COMPLETED']);
      await eventually(async () => expect((await scene.deadlinesOf(room))?.deleteAt).toBeInstanceOf(Date));
      const { classEndedAt, deleteAt } = (await scene.deadlinesOf(room)) ?? {};
      const [file] = (await room.download()).body.data.files;
      return { reserveMs: (deleteAt?.getTime() ?? 0) - (classEndedAt?.getTime() ?? 0), size: file?.size, duration: file?.duration };
    };
    const begun = async (isMute: boolean) => {
      scene.fixture.recorder.behave({ isMute });
      const room = await scene.fixture.open();
      await room.started();
      await eventually(() => expect(scene.captureOf(room).status).toBe('EGRESS_ACTIVE'));
      return room;
    };
    const classFirst = await begun(false);
    await classFirst.end();
    const recordingFirst = await begun(false);
    scene.captureOf(recordingFirst).roomClosed();
    await recordingFirst.reaches(['COMPLETED']);
    await recordingFirst.end();
    // Both events wait while the service is down, in two different streams.
    const together = await begun(false);
    await scene.service.stop();
    await together.end();
    scene.captureOf(together).roomClosed();
    await scene.fixture.recorder.settled();
    await scene.service.start();
    const results = [await result(classFirst), await result(recordingFirst), await result(together)];
    expect(results).toEqual(results.map(() => ({ reserveMs: 6 * HOUR_MS, size: scene.captureOf(together).film.length, duration: 7 })));
  });

  it('waits for its completion or its deletion while the storage is unreachable', async () => {
    const old = await scene.finished();
    const fresh = await scene.fixture.open();
    await fresh.started();
    await fresh.reaches(['ACTIVE']);
    scene.fixture.recorder.behave({ uploadsAfterMs: 60_000 });
    const film = scene.captureOf(fresh);
    await scene.fixture.stack.part('s3').stop();
    // The engine's event arrives before the file is visible in the storage.
    const { egressInfo, ...rest } = film.toEvent('egress_ended', { status: 'EGRESS_COMPLETE' });
    film.vanish();
    await postWebhook(scene.fixture.stack, { ...rest, egressInfo });
    await scene.fixture.stack.moveClock(6 * HOUR_MS + 60_000);
    await fresh.reaches(['ENDING']);
    expect((await old.download()).status).toBe(410);
    await sleep(2_500);
    await fresh.reaches(['ENDING']);
    expect((await scene.deadlinesOf(old))?.deletedAt).toBeNull();
    await scene.fixture.stack.part('s3').start();
    await scene.bucket.put(film.order.objectKey, film.film);
    await fresh.reaches(['COMPLETED']);
    await eventually(async () => expect(await scene.objectsOf(old)).toEqual([]));
    await eventually(async () => expect((await scene.deadlinesOf(old))?.deletedAt).toBeInstanceOf(Date));
  });

  it('fails if the engine reports it as complete and its file never appears in the storage', async () => {
    const room = await scene.fixture.open();
    await room.started();
    await room.reaches(['ACTIVE']);
    const { egressInfo, ...rest } = scene.captureOf(room).toEvent('egress_ended', { status: 'EGRESS_COMPLETE' });
    scene.captureOf(room).vanish();
    await postWebhook(scene.fixture.stack, { ...rest, egressInfo });
    await room.reaches(['ENDING']);
    await scene.fixture.stack.rows('UPDATE recording.recordings SET finalize_tries = 6, finalize_at = now() WHERE sid = $1', [room.sid]);
    await room.reaches(['FAILED']);
    expect((await room.rows())[0]?.reason).toMatch(/is not/);
  });

  it('is completed and deleted without Redis', async () => {
    await scene.fixture.stack.part('redis').stop();
    const room = await scene.fixture.open();
    await room.recorded();
    await room.end();
    await eventually(async () => expect((await scene.deadlinesOf(room))?.deleteAt).toBeInstanceOf(Date));
    await scene.fixture.stack.moveClock(6 * HOUR_MS + 60_000);
    await eventually(async () => expect(await scene.objectsOf(room)).toEqual([]));
    await scene.fixture.stack.part('redis').start();
    await eventually(async () => expect((await scene.deadlinesOf(room))?.deletedAt).toBeInstanceOf(Date));
  });

  describeDeletions(() => scene);
});
