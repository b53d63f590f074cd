import { randomUUID } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { roomFinished } from '@classroom/contracts';
import { eventually, inLongForm, makeFilm, purgeFacts, type RecordedRoom } from '@classroom/testing';
import { DAY_MS, HOUR_MS, type RecordingScene } from './recording-scene.js';

/** How recordings are deleted, and the service killed at each step; each takes long. */
export function describeDeletions(sceneOf: () => RecordingScene): void {
  let scene: RecordingScene;
  beforeAll(() => {
    scene = sceneOf();
  });

  inLongForm(describe)('is deleted', () => {
    it('with its open uploads if it was due while the service was down, and a day later with late files', async () => {
      const room = await scene.finished();
      const [objectKey = ''] = await scene.objectsOf(room);
      await scene.bucket.leaveUpload(`${objectKey}.part`, Buffer.alloc(1_000));
      await scene.service.stop();
      await scene.fixture.stack.part('redis').restart();
      await scene.service.start();
      await scene.fixture.stack.moveClock(6 * HOUR_MS + 60_000);
      await eventually(async () => expect((await scene.deadlinesOf(room))?.deletedAt).toBeInstanceOf(Date));
      expect(await scene.objectsOf(room)).toEqual([]);
      expect(await scene.bucket.uploads('recordings/')).toEqual([]);
      expect(await room.list()).toMatchObject([{ status: 'COMPLETED' }]);

      await scene.bucket.put(objectKey, makeFilm({ seconds: 1 }));
      await scene.bucket.leaveUpload(`${objectKey}.late`, Buffer.alloc(1_000));
      await scene.fixture.stack.moveClock(6 * HOUR_MS + DAY_MS + 120_000);
      await eventually(async () => expect(await scene.objectsOf(room)).toEqual([]));
      await eventually(async () => expect(await scene.bucket.uploads('recordings/')).toEqual([]));
      await eventually(async () => expect((await scene.deadlinesOf(room))?.deleteAt).toBeNull());
    });

    it('by the audit if no row keeps it, or if the end of its class was lost', async () => {
      const deleted = await scene.finished();
      const [objectKey = ''] = await scene.objectsOf(deleted);
      await scene.fixture.stack.moveClock(6 * HOUR_MS + 60_000);
      await eventually(async () => expect((await scene.deadlinesOf(deleted))?.deletedAt).toBeInstanceOf(Date));
      expect(await scene.objectsOf(deleted)).toEqual([]);
      await scene.fixture.stack.moveClock(6 * HOUR_MS + DAY_MS + 120_000);
      await eventually(async () => expect((await scene.deadlinesOf(deleted))?.deleteAt).toBeNull());
      await scene.fixture.stack.moveClock(0);

      const withoutEndFact = await scene.fixture.open();
      await withoutEndFact.recorded();
      const kept = await scene.finished();
      await scene.service.stop();
      expect((await withoutEndFact.end()).status).toBe(200);
      await eventually(async () => expect(await purgeFacts(scene.fixture.stack, roomFinished, withoutEndFact.sid)).toBeGreaterThan(0));
      const folder = objectKey.split('/').slice(0, 3).join('/');
      const [old, young] = [`${folder}/${randomUUID()}/1.mp4`, `${folder}/${randomUUID()}/1.mp4`];
      for (const key of [objectKey, old, young]) await scene.bucket.put(key, makeFilm({ seconds: 1 }));
      const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
      utimesSync(join(scene.fixture.stack.home, 's3', 'buckets', 'classroom', old), twoDaysAgo, twoDaysAgo);
      await scene.service.start();
      await eventually(async () => {
        const left = await scene.bucket.list(`${folder.split('/').slice(0, 2).join('/')}/`);
        expect([left.has(objectKey), left.has(old), left.has(young)]).toEqual([false, false, true]);
      });
      expect(await scene.objectsOf(kept)).toHaveLength(1);
      await eventually(async () => expect((await scene.deadlinesOf(withoutEndFact))?.classEndedAt).toBeInstanceOf(Date));
      await scene.bucket.delete(young);
    });
  });

  inLongForm(it)('is completed and deleted once, even if the service is killed at each step', async () => {
    const activeOnes = async () => {
      await scene.service.start();
      const rooms = [await scene.fixture.open(), await scene.fixture.open(), await scene.fixture.open()];
      for (const room of rooms) await room.started();
      for (const room of rooms) await room.reaches(['ACTIVE']);
      return rooms;
    };
    const deleted = await scene.finished();
    const late = () => scene.fixture.stack.moveClock(6 * HOUR_MS + 60_000);
    await scene.crashAt('delete.before-storage', late);
    expect(await scene.objectsOf(deleted)).toHaveLength(1);

    const viaEgress = await scene.fixture.open();
    await scene.crashAt('start.after-engine', () => viaEgress.start(), 'egress');
    const [unnamed] = scene.fixture.egress.of(viaEgress.sid);
    await eventually(() => expect(unnamed?.status).toBe('EGRESS_ACTIVE'));
    unnamed?.roomClosed();
    await eventually(() => expect(unnamed?.status).toBe('EGRESS_COMPLETE'));
    await scene.fixture.egress.settled();

    const reserved = await scene.fixture.open();
    await scene.crashAt('start.after-reserve', () => reserved.start());
    // Their events arrive while no process of the service runs, or crash the one that processes them.
    const taken: RecordedRoom[] = [];
    for (const step of ['start.after-engine', 'egress.before-transaction', 'egress.before-commit', 'egress.after-commit']) {
      const room = await scene.fixture.open();
      await scene.crashAt(step, () => room.start());
      if (scene.fixture.recorder.of(room.sid).length > 0) taken.push(room);
    }
    const stopped = await activeOnes();
    for (const [at, step] of ['stop.after-commit', 'finalize.before-storage', 'finalize.before-commit'].entries()) {
      await scene.crashAt(step, () => stopped[at]?.stop() ?? Promise.reject(new Error('no room')));
    }
    await scene.service.start();
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
    for (const room of [...taken, ...stopped, reserved]) expect(await scene.objectsOf(room)).toHaveLength(1);
    await eventually(async () => expect((await scene.deadlinesOf(deleted))?.deletedAt).toBeInstanceOf(Date));
    expect(await scene.objectsOf(deleted)).toEqual([]);

    const second = await scene.finished();
    await scene.crashAt('delete.before-commit', () => scene.fixture.stack.moveClock(7 * HOUR_MS + 60_000));
    await scene.service.start();
    await scene.fixture.stack.moveClock(7 * HOUR_MS + 60_000);
    await eventually(async () => {
      for (const room of [second, ...taken, ...stopped, reserved]) expect((await scene.deadlinesOf(room))?.deletedAt).toBeInstanceOf(Date);
    });
  });
}
