import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, ffmpeg, inLongForm, makeFilm } from '@classroom/testing';
import { HOUR, MINUTE, RecordingFixture, SECOND } from './support/recording-fixture.js';
import type { RecordedClass } from './support/recorded-class.js';

let fixture: RecordingFixture;
beforeAll(async () => {
  fixture = await RecordingFixture.start();
});
afterEach(() => fixture.reset());
afterAll(() => fixture?.stop());

/** A class whose engine has reported a complete file that is not in the storage. */
async function withoutFile(): Promise<RecordedClass> {
  const room = fixture.newClass();
  await room.filming();
  const capture = room.capture();
  capture.vanish();
  await fixture.report(capture, 'egress_ended', { status: 'EGRESS_COMPLETE' });
  await room.reaches('ENDING');
  return room;
}

describe('the finalization of a recording', () => {
  it('takes size and duration from the file itself', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'film-'));
    const path = join(folder, 'film.mp4');
    await ffmpeg(['-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=10', '-t', '1.6', '-pix_fmt', 'yuv420p', path]);
    const film = await readFile(path);
    await rm(folder, { recursive: true });
    const room = await withoutFile();
    await fixture.bucket.put(room.capture().order.objectKey, film, 'video/mp4');
    await room.finalizeNow();
    await room.reaches('COMPLETED');
    expect(await room.row()).toMatchObject({
      size: film.length,
      duration: 2,
      status: 'COMPLETED',
      finalizeAt: null,
      deleteAt: null,
      classEndedAt: null,
    });
  });

  it('waits for a file that the storage does not show yet, six times', async () => {
    const room = await withoutFile();
    await room.rowHas({ finalizeTries: 1, status: 'ENDING' });
    const { finalizeAt } = await room.row();
    // A job that found nothing is due again after 5 s.
    expect(Math.abs((finalizeAt?.getTime() ?? 0) - Date.now())).toBeLessThan(6 * SECOND);
    for (let tries = 2; tries <= 5; tries++) {
      await room.finalizeNow();
      await room.rowHas({ finalizeTries: tries, status: 'ENDING' });
    }
    await room.finalizeNow();
    await room.reaches('FAILED');
    expect(await room.row()).toMatchObject({
      finalizeTries: 6,
      finalizeAt: null,
      reason: expect.stringMatching(/is not$/),
      size: null,
      duration: null,
    });
  });

  it('fails for a file that was cut off, and says so', async () => {
    const room = await withoutFile();
    await fixture.bucket.put(room.capture().order.objectKey, makeFilm({ seconds: 7 }).subarray(0, 59), 'video/mp4');
    await room.finalizeNow();
    await room.reaches('FAILED');
    const { reason } = await room.row();
    expect(reason).toMatch(/it says nothing of its length$/);
    await fixture.drained();
    expect(room.facts().at(-1)).toMatchObject({ what: 'failed', data: { status: 'FAILED', reason } });
  });

  it('finds the file by its recording if the engine names none', async () => {
    const room = fixture.newClass();
    await room.filming();
    const capture = room.capture();
    await fixture.bucket.put(capture.order.objectKey, makeFilm({ seconds: 1.4 }), 'video/mp4');
    await fixture.report(capture, 'egress_ended', { status: 'EGRESS_COMPLETE', fileResults: [] });
    await room.reaches('COMPLETED');
    expect(await room.row()).toMatchObject({ objectKey: capture.order.objectKey, duration: 1 });
    capture.vanish();
  });

  inLongForm(it)('continues when the storage is reachable again', async () => {
    const room = fixture.newClass();
    await room.filming();
    fixture.recorder.behave({ isMute: true });
    const capture = room.capture();
    capture.vanish();
    await fixture.stack.part('s3').stop();
    await fixture.report(capture, 'egress_ended', { status: 'EGRESS_COMPLETE' });
    await room.rowHas({ status: 'ENDING', finalizeTries: 1 });
    await fixture.stack.part('s3').start();
    await fixture.bucket.put(capture.order.objectKey, capture.film, 'video/mp4');
    await room.finalizeNow();
    await room.reaches('COMPLETED');
  });

  inLongForm(it)('is done by the service itself while Redis is unreachable', async () => {
    await fixture.stack.part('redis').stop();
    const room = fixture.newClass();
    await room.recorded();
    await room.end();
    const { deleteAt } = await room.rowHas({ deleteAt: expect.any(Date) });
    await fixture.moveTo(new Date((deleteAt?.getTime() ?? 0) + MINUTE));
    await room.rowHas({ deletedAt: expect.any(Date) });
    await fixture.stack.part('redis').start();
  });

  const killed = async (failpoint: string) => {
    const room = fixture.newClass();
    await room.filming();
    await fixture.crashAt(failpoint, () => room.stop());
    await fixture.start();
    await room.finalizeNow();
    await eventually(async () => expect(await room.list()).toMatchObject([{ status: 'COMPLETED', duration: 7 }]));
    await fixture.drained();
    expect(room.facts().filter(({ what }) => what === 'completed')).toHaveLength(1);
  };
  inLongForm(it)('happens once if the service is killed before the commit', () => killed('finalize.before-commit'));
  inLongForm(it)('happens once if the service is killed before it reads the file', () => killed('finalize.before-storage'));
});

describe('the downloads of a class', () => {
  it('are refused until the class has ended and its recording is complete', async () => {
    const room = fixture.newClass();
    fixture.recorder.behave({ endsAfterMs: HOUR });
    await expect(fixture.newClass({ state: 'finished' }).download()).rejects.toMatchObject({ code: 'RECORDING_IN_PROGRESS' });
    fixture.recorder.behave({ activeAfterMs: null });
    await room.started();
    room.finish();
    await expect(room.download()).rejects.toMatchObject({ code: 'RECORDING_IN_PROGRESS' });
    room.capture().becomeActive();
    await room.reaches('ACTIVE');
    await expect(room.download()).rejects.toMatchObject({ code: 'RECORDING_IN_PROGRESS' });
    fixture.recorder.resetBehaviour();
    await room.stop();
    await expect(room.download()).rejects.toMatchObject({ code: 'RECORDING_IN_PROGRESS', message: 'Recording in progress' });
    await room.capture().recover();
    await room.reaches('COMPLETED');
    expect((await room.download()).files).toHaveLength(1);
    const live = fixture.newClass();
    await live.recorded();
    await expect(live.download()).rejects.toMatchObject({ code: 'RECORDING_IN_PROGRESS' });
  });

  it('are links with the data of each file, and none can be changed', async () => {
    const room = fixture.newClass({ title: 'Größen: "Algebra" / 1' });
    await room.recorded();
    await room.recorded();
    // An end 55.5 minutes ago leaves 5 h 4.5 min, but a file is kept for at least an hour.
    const endedAt = new Date(Date.now() - 55.5 * MINUTE);
    room.finish(endedAt);
    const answer = await room.download();
    expect(answer).toMatchObject({
      roomId: room.ids.roomId,
      expiresIn: expect.stringMatching(/^5h [34]m$/),
      availableUntil: new Date(endedAt.getTime() + 6 * HOUR).toISOString(),
    });
    const rows = await room.rows();
    expect(answer.files.map(({ downloadUrl: _url, urlExpiresAt: _until, ...file }) => file)).toEqual(
      rows.map((row) => {
        const at = row.activeAt?.toISOString() ?? '';
        return {
          recordingId: `rec_${row.egressId}`,
          filename: `Größen Algebra 1 ${at.slice(0, 10)} ${at.slice(11, 16).replace(':', '-')}.mp4`,
          size: room.capture().film.length,
          duration: 7,
          startedAt: at,
          endedAt: row.endedAt?.toISOString(),
          audioOnly: false,
          reason: null,
          health: 'OK',
          mergedFrom: [],
          copy: null,
        };
      }),
    );
    const [file, other] = answer.files;
    const whole = await fetch(file?.downloadUrl ?? '');
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(whole.headers.get('content-disposition')).toContain(`filename*=UTF-8''${encodeURIComponent(file?.filename ?? '')}`);
    expect(Buffer.from(await whole.arrayBuffer()).equals(room.capture().film)).toBe(true);
    const part = await fetch(file?.downloadUrl ?? '', { headers: { range: 'bytes=100-199' } });
    expect([part.status, Buffer.from(await part.arrayBuffer()).equals(room.capture().film.subarray(100, 200))]).toEqual([206, true]);
    const changed = async (edit: (url: URL) => void) => {
      const url = new URL(file?.downloadUrl ?? '');
      edit(url);
      return (await fetch(url)).status;
    };
    expect(await changed((url) => (url.pathname = new URL(other?.downloadUrl ?? '').pathname))).toBe(403);
    expect(await changed((url) => url.searchParams.set('X-Amz-Expires', '604800'))).toBe(403);
    expect(await changed((url) => url.searchParams.set('response-content-disposition', 'inline'))).toBe(403);
    const signed = new URL(file?.downloadUrl ?? '').searchParams;
    expect(signed.get('X-Amz-Expires')).toBe('3600');
    expect(file?.downloadUrl).not.toContain(room.ids.organizationId);
    expect(Math.round((Date.parse(file?.urlExpiresAt ?? '') - Date.now()) / MINUTE)).toBe(60);
  });

  it('expire with the file, and the link not later than it', async () => {
    const room = fixture.newClass();
    await room.recorded();
    await room.end();
    const { deleteAt } = await room.rowHas({ deleteAt: expect.any(Date) });
    const until = deleteAt ?? new Date(NaN);
    await fixture.moveTo(new Date(until.getTime() - 30 * SECOND));
    await eventually(async () => expect((await room.download()).expiresIn).toBe('0h 0m'));
    const [file] = (await room.download()).files;
    const seconds = Number(new URL(file?.downloadUrl ?? '').searchParams.get('X-Amz-Expires'));
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThanOrEqual(30);
    expect(await room.file(`rec_${(await room.row()).egressId}`)).toMatchObject({ duration: 7 });
    await fixture.moveTo(new Date(until.getTime() + SECOND));
    await eventually(() => expect(room.download()).rejects.toMatchObject({ code: 'RECORDING_EXPIRED' }));
    await room.rowHas({ deletedAt: expect.any(Date) });
    await expect(room.download()).rejects.toMatchObject({ code: 'RECORDING_EXPIRED', message: 'Download window expired' });
    await expect(room.file(`rec_${(await room.row()).egressId}`)).rejects.toMatchObject({ code: 'RECORDING_EXPIRED' });
    expect(await room.list()).toMatchObject([{ status: 'COMPLETED', duration: 7 }]);
  });

  it('of a class without a recording are empty for six hours', async () => {
    const [recent, old] = [fixture.newClass(), fixture.newClass()];
    recent.finish(new Date(Date.now() - 6 * HOUR + 30 * SECOND));
    old.finish(new Date(Date.now() - 6 * HOUR - SECOND));
    const availableUntil = new Date(Date.parse(recent.room.endedAt ?? '') + 6 * HOUR).toISOString();
    expect(await recent.download()).toEqual({ roomId: recent.ids.roomId, files: [], expiresIn: '0h 0m', availableUntil });
    await expect(old.download()).rejects.toMatchObject({ code: 'RECORDING_EXPIRED' });
  });

  it('name the first file that is deleted, and leave out a failed one', async () => {
    const room = fixture.newClass();
    await room.recorded();
    const [early] = await room.rows();
    await room.recorded();
    fixture.recorder.behave({ failsUpload: true });
    await room.filming();
    await room.stop();
    await room.reaches('COMPLETED', 'COMPLETED', 'FAILED');
    // The class ended long ago, so each file is kept for an hour after its completion.
    room.finish(new Date(Date.now() - 8 * HOUR));
    const answer = await room.download();
    expect(answer.files).toHaveLength(2);
    expect(answer.availableUntil).toBe(new Date((early?.completedAt?.getTime() ?? 0) + HOUR).toISOString());
    await expect(room.file(`rec_${(await room.row()).egressId}`)).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND' });
  });

  it('are unknown for an unknown room, and unavailable while the room service is unreachable', async () => {
    const room = fixture.newClass();
    const unknown = fixture.newClass();
    unknown.room.roomId = 'never-made';
    await expect(unknown.download()).rejects.toMatchObject({ code: 'ROOM_NOT_FOUND', message: 'Classroom not found' });
    await expect(unknown.list()).rejects.toMatchObject({ code: 'ROOM_NOT_FOUND', message: 'Room not found' });
    fixture.services.unreachable.add('room');
    await expect(room.download()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(room.list()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('the location of a file', () => {
  it('is answered once it is complete', async () => {
    const room = fixture.newClass({ title: 'Biology' });
    fixture.recorder.behave({ endsAfterMs: HOUR });
    const recordingId = `rec_${await room.filming()}`;
    await expect(room.file(recordingId)).rejects.toMatchObject({ code: 'RECORDING_IN_PROGRESS' });
    await room.stop();
    await expect(room.file(recordingId)).rejects.toMatchObject({ code: 'RECORDING_IN_PROGRESS' });
    await room.capture().recover();
    await room.reaches('COMPLETED');
    const { objectKey, fileName, size } = await room.row();
    expect(await room.file(recordingId)).toEqual({ objectKey, fileName, title: 'Biology', size, duration: 7 });
    await expect(room.file('rec_EG_unknown1234')).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND' });
    fixture.recorder.behave({ activeAfterMs: null });
    const aborted = `rec_${await room.started()}`;
    await room.stop();
    await room.reaches('COMPLETED', 'ABORTED');
    await expect(room.file(aborted)).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND' });
  });
});

describe('the list of recordings', () => {
  inLongForm(it)('has the newest 500 of a room, oldest first', async () => {
    const room = fixture.newClass();
    const { organizationId, roomId } = room.ids;
    await fixture.stack.rows(
      `INSERT INTO recording.recordings (recording_key, organization_id, sid, room_id, title, egress_id, engine_ids, options, status,
                                         requested_at, attempted_at, active_at, ended_at)
       SELECT gen_random_uuid(), $1, $2, $3, 'A class', 'EG_old00000' || n, ARRAY['EG_old00000' || n], '{}', 'FAILED',
              at, at, at, at + interval '89.5 s'
         FROM generate_series(1, 502) n, LATERAL (SELECT now() - interval '1 day' + n * interval '1 s' AS at) t`,
      [organizationId, room.sid, roomId],
    );
    const list = await room.list();
    expect(list).toHaveLength(500);
    expect([list[0]?.recordingId, list[499]?.recordingId]).toEqual(['rec_EG_old000003', 'rec_EG_old00000502']);
    expect(list[0]?.duration).toBe(90);
    await room.lose();
  });
});
