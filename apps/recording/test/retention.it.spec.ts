import { randomUUID } from 'node:crypto';
import { closingRpc, downloadRecordings, erasureRpc, exportRpc, holdRecording, retentionRpc, type ExportPage } from '@classroom/contracts';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, inLongForm, makeFilm } from '@classroom/testing';
import { DAY, HOUR, RecordingFixture, SECOND } from './support/recording-fixture.js';
import type { RecordedClass } from './support/recorded-class.js';
import { SchoolBucket } from './support/school-bucket.js';

let fixture: RecordingFixture;
beforeAll(async () => {
  fixture = await RecordingFixture.start();
});
afterEach(() => fixture.reset());
afterAll(() => fixture?.stop());

/** A class that has ended, with its recording. */
async function finished(endedAt = new Date()): Promise<{ room: RecordedClass; deleteAt: Date; objectKey: string }> {
  const room = fixture.newClass();
  await room.recorded();
  await room.end(endedAt);
  const { deleteAt, objectKey } = await room.rowHas({ deleteAt: expect.any(Date) });
  return { room, deleteAt: deleteAt ?? new Date(NaN), objectKey: objectKey ?? '' };
}
const deleted = (room: RecordedClass) => room.rowHas({ deletedAt: expect.any(Date) });

describe('the end of a class', () => {
  it('stops its recording and starts the retention, however often it is delivered', async () => {
    const room = fixture.newClass();
    await room.filming();
    const other = fixture.newClass();
    await other.filming();
    await room.end();
    const { endedAt } = room.room;
    await room.reaches('COMPLETED');
    expect(room.capture().stops).toBe(1);
    const row = await room.rowHas({ classEndedAt: new Date(endedAt ?? '') });
    expect(row.deleteAt).toEqual(new Date(Date.parse(endedAt ?? '') + 6 * HOUR));
    const { version } = row;
    await room.publishEnd();
    await other.end();
    await other.reaches('COMPLETED');
    expect(await room.row()).toEqual({ ...row, version });
  });

  inLongForm(it)('is found by the watchdog if the first event of the recorder arrives after it', async () => {
    const room = fixture.newClass();
    fixture.recorder.behave({ isMute: true });
    await fixture.crashAt('start.after-engine', () => room.start());
    await fixture.start();
    await eventually(() => expect(room.capture().status).toBe('EGRESS_ACTIVE'));
    room.finish();
    await room.publishEnd();
    await room.rowHas({ classEndedAt: expect.any(Date) });
    await fixture.report(room.capture(), 'egress_updated');
    await room.rowHas({ status: 'ACTIVE' });
    await room.age(0);
    await room.rowHas({ status: 'ENDING' });
    await eventually(() => expect(room.capture().status).toBe('EGRESS_COMPLETE'));
    await room.age(0);
    await room.reaches('COMPLETED');
  });
});

describe('the files of a class', () => {
  it('are deleted at the end of their retention, and those of a class that ended later are not', async () => {
    const early = await finished(new Date(Date.now() - 60 * SECOND));
    const late = await finished();
    expect(early.deleteAt).toEqual(new Date(Date.parse(early.room.room.endedAt ?? '') + 6 * HOUR));
    expect(late.deleteAt).toEqual(new Date(Date.parse(late.room.room.endedAt ?? '') + 6 * HOUR));
    const { version } = await early.room.row();
    await fixture.moveTo(new Date(early.deleteAt.getTime() + SECOND));
    const row = await deleted(early.room);
    expect(row.version).toBe(version + 1);
    expect((row.deletedAt?.getTime() ?? 0) >= early.deleteAt.getTime()).toBe(true);
    expect(row.deleteAt).toEqual(new Date((row.deletedAt?.getTime() ?? 0) + DAY));
    expect(await early.room.objects()).toEqual([]);
    expect(await late.room.row()).toMatchObject({ deletedAt: null, deleteAt: late.deleteAt });
    expect(await late.room.objects()).toEqual([late.objectKey]);
    await fixture.drained();
    const facts = early.room.facts().filter(({ what }) => what === 'deleted');
    expect(facts).toMatchObject([{ data: { status: 'COMPLETED', duration: 7, egressId: row.egressId, version: row.version } }]);
  });

  inLongForm(it)('are kept for an hour after their completion if the class ended long before', async () => {
    const room = fixture.newClass();
    await room.filming();
    await room.end(new Date(Date.now() - 5.9 * HOUR));
    await room.reaches('COMPLETED');
    const { deleteAt, completedAt, classEndedAt } = await room.row();
    expect(deleteAt).toEqual(new Date((completedAt?.getTime() ?? 0) + HOUR));
    expect(classEndedAt?.toISOString()).toBe(room.room.endedAt);
    expect(await room.objects()).toHaveLength(1);
  });

  it('are kept for as long as the organization has set, also those that exist already, and are deleted earlier if it shortens that', async () => {
    const { room, deleteAt } = await finished();
    const { organizationId } = room.room;
    const end = Date.parse(room.room.endedAt ?? '');
    const kept = async (hours: number) => {
      fixture.services.hours.set(organizationId, hours);
      await fixture.restart();
      await room.rowHas({ deleteAt: new Date(end + hours * HOUR) });
    };
    await kept(48);
    // The default of an organization, set by this one: it stays when the installation has another.
    await kept(6);
    const set = await fixture.stack.rows('SELECT hours FROM recording.retention_hours WHERE organization_id = $1', [organizationId]);
    expect(set).toEqual([{ hours: 6 }]);
    await kept(48);
    const next = fixture.newClass({ organizationId });
    await next.recorded();
    await next.end();
    const { endedAt } = next.room;
    await next.rowHas({ deleteAt: new Date(Date.parse(endedAt ?? '') + 48 * HOUR) });
    await fixture.moveTo(new Date(deleteAt.getTime() + SECOND));
    const shown = await fixture.call(downloadRecordings, { organizationId, roomId: room.room.roomId });
    expect(shown).toMatchObject({ availableUntil: new Date(end + 48 * HOUR).toISOString(), files: [{ size: expect.any(Number) }] });
    expect(await room.list()).toMatchObject([{ availableUntil: shown.availableUntil }]);
    const before = new Date(end).toISOString();
    const old = await fixture.call(retentionRpc.recording, { organizationId, dataClass: 'recordings', since: before, before });
    expect(old).toEqual({ old: 1, all: 2, oldestAt: before });
    expect(await room.objects()).toHaveLength(1);
    await kept(7);
    await fixture.moveTo(new Date(end + 7 * HOUR + SECOND));
    await deleted(room);
    expect(await room.objects()).toEqual([]);
    fixture.services.hours.delete(organizationId);
  });

  it('are kept during a legal hold, and for an hour after it', async () => {
    const { room, deleteAt } = await finished();
    const { organizationId, roomId } = room.room;
    const { egressId } = await room.row();
    const hold = (legalHold: boolean) => fixture.call(holdRecording, { organizationId, roomId, recordingId: `rec_${egressId}`, legalHold });
    const held = { recordingId: `rec_${egressId}`, roomId, legalHold: true, deleteAt: null };
    expect([await hold(true), await hold(true)]).toEqual([held, held]);
    const late = new Date(deleteAt.getTime() + 30 * DAY);
    await fixture.moveTo(late);
    const other = await finished();
    expect(await room.row()).toMatchObject({ deletedAt: null, deleteAt });
    expect((await fixture.call(downloadRecordings, { organizationId, roomId })).files).toHaveLength(1);
    const byKey = { organizationId, roomId, recordingId: `rec_${egressId}`, legalHold: false, mayEnd: false };
    await expect(fixture.call(holdRecording, byKey)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await fixture.call(holdRecording, { ...byKey, legalHold: true })).toEqual(held);
    const freed = await hold(false);
    const until = new Date(freed.deleteAt ?? '');
    expect([freed.legalHold, until.getTime()]).toEqual([false, expect.any(Number)]);
    expect(until.getTime()).toBeGreaterThanOrEqual(late.getTime() + HOUR);
    await fixture.moveTo(new Date(until.getTime() + SECOND));
    await deleted(room);
    await expect(hold(true)).rejects.toMatchObject({ code: 'RECORDING_EXPIRED' });
    const foreign = { organizationId: other.room.room.organizationId, roomId: other.room.room.roomId, recordingId: `rec_${egressId}` };
    await expect(fixture.call(holdRecording, { ...foreign, legalHold: true })).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND' });
  });

  inLongForm(it)('are not held any more once their time is over, also while they are deleted', async () => {
    const { room, deleteAt } = await finished();
    await fixture.delayAt('delete.before-storage', 2 * SECOND);
    // Setting a longer time is too late, too: the jump of the clock makes a sweep due.
    fixture.services.hours.set(room.room.organizationId, 48);
    await fixture.moveTo(new Date(deleteAt.getTime() + SECOND));
    const { egressId, deletedAt } = await room.row();
    expect(deletedAt).toBeNull();
    await eventually(() => expect(room.file(`rec_${egressId}`)).rejects.toMatchObject({ code: 'RECORDING_EXPIRED' }));
    await expect(fixture.call(holdRecording, { ...room.ids, recordingId: `rec_${egressId}`, legalHold: true })).rejects.toMatchObject({
      code: 'RECORDING_EXPIRED',
    });
    await deleted(room);
    fixture.services.hours.delete(room.room.organizationId);
  });

  inLongForm(it)('have the same retention whether the end of the class or of the recording is processed first', async () => {
    const kept = async (room: RecordedClass) => {
      await room.reaches('COMPLETED');
      const { deleteAt, classEndedAt } = await room.rowHas({ deleteAt: expect.any(Date) });
      return (deleteAt?.getTime() ?? 0) - (classEndedAt?.getTime() ?? 0);
    };
    const rooms = [fixture.newClass(), fixture.newClass(), fixture.newClass()] as const;
    for (const room of rooms) await room.filming();
    const [classFirst, recordingFirst, together] = rooms;
    await classFirst.end();
    recordingFirst.capture().roomClosed();
    await recordingFirst.reaches('COMPLETED');
    await recordingFirst.end();
    // Both events wait while the service is down, in two different streams.
    await fixture.app.stop();
    await together.end();
    together.capture().roomClosed();
    await fixture.recorder.settled();
    await fixture.start();
    expect([await kept(classFirst), await kept(recordingFirst), await kept(together)]).toEqual([6 * HOUR, 6 * HOUR, 6 * HOUR]);
  });

  it('are deleted with their open uploads, and a day later with late files', async () => {
    const { room, deleteAt, objectKey } = await finished();
    await fixture.bucket.leaveUpload(`${objectKey}.part`, Buffer.alloc(1_000));
    await fixture.app.stop();
    // The jobs in Redis are lost.
    await fixture.stack.part('redis').restart();
    await fixture.start();
    await fixture.moveTo(new Date(deleteAt.getTime() + SECOND));
    const { deleteAt: again } = await deleted(room);
    expect([await room.objects(), await fixture.bucket.uploads('recordings/')]).toEqual([[], []]);
    await fixture.bucket.put(objectKey, makeFilm({ seconds: 1 }));
    await fixture.bucket.leaveUpload(`${objectKey}.late`, Buffer.alloc(1_000));
    await fixture.moveTo(new Date((again?.getTime() ?? 0) + SECOND));
    const row = await room.rowHas({ deleteAt: null });
    expect([await room.objects(), await fixture.bucket.uploads('recordings/')]).toEqual([[], []]);
    await room.publishEnd();
    await fixture.reset();
    expect(await room.row()).toMatchObject({ deletedAt: row.deletedAt, deleteAt: null, version: row.version });
    expect(room.facts().filter(({ what }) => what === 'deleted')).toHaveLength(1);
  });

  inLongForm(it)('are deleted for every outcome of a recording, but not while it is finalized', async () => {
    const room = fixture.newClass();
    fixture.recorder.behave({ failsUpload: true });
    await room.filming();
    await room.stop();
    await room.reaches('FAILED');
    fixture.recorder.behave({ failsUpload: false, activeAfterMs: null });
    await room.started();
    await room.stop();
    await room.reaches('FAILED', 'ABORTED');
    fixture.recorder.behave({ slots: 0 });
    await expect(room.start()).rejects.toMatchObject({ code: 'RECORDER_BUSY' });
    fixture.recorder.resetBehaviour();
    await room.filming();
    const capture = room.capture();
    capture.vanish();
    await fixture.report(capture, 'egress_ended', { status: 'EGRESS_COMPLETE' });
    await room.reaches('FAILED', 'ABORTED', 'ENDING');
    await room.end(new Date(Date.now() - 7 * HOUR));
    const statuses = async () => (await room.rows()).map(({ status, deletedAt }) => `${status} ${deletedAt !== null}`);
    await eventually(async () => expect(await statuses()).toEqual(['FAILED true', 'ABORTED true', 'REFUSED true', 'ENDING false']));
    await fixture.bucket.put(capture.order.objectKey, capture.film, 'video/mp4');
    await room.finalizeNow();
    await room.reaches('FAILED', 'ABORTED', 'COMPLETED');
    expect(await room.objects()).toHaveLength(1);
    await fixture.drained();
    // A refused start is never published.
    expect(room.facts().some(({ data }) => data.status === 'REFUSED')).toBe(false);
  });

  inLongForm(it)('are deleted when the storage is reachable again', async () => {
    const { room, deleteAt } = await finished();
    await fixture.stack.part('s3').stop();
    await fixture.moveTo(new Date(deleteAt.getTime() + SECOND));
    await eventually(async () => {
      const late = await fixture.metric('classroom_job_overdue_seconds', 'queue="retention-deletion"');
      expect(late).toBeGreaterThan(1);
    });
    expect((await room.row()).deletedAt).toBeNull();
    await fixture.stack.part('s3').start();
    await eventually(async () => expect((await room.row()).deletedAt).toBeInstanceOf(Date));
    expect(await room.objects()).toEqual([]);
  });

  const killed = async (failpoint: string) => {
    const { room, deleteAt } = await finished();
    const late = () => fixture.moveTo(new Date(deleteAt.getTime() + SECOND));
    await fixture.crashAt(failpoint, late);
    expect(await room.objects()).toHaveLength(failpoint === 'delete.before-storage' ? 1 : 0);
    expect((await room.row()).deletedAt).toBeNull();
    await fixture.start();
    await late();
    await eventually(async () => expect((await room.row()).deletedAt).toBeInstanceOf(Date));
    await fixture.drained();
    expect(room.facts().filter(({ what }) => what === 'deleted')).toHaveLength(1);
    expect(await room.objects()).toEqual([]);
  };
  inLongForm(it)('are deleted once if the service is killed before the commit', () => killed('delete.before-commit'));
  inLongForm(it)('are deleted once if the service is killed before it asks the storage', () => killed('delete.before-storage'));
});

describe('the erasure of an organization', () => {
  const eraseAll = (organizationId: string, erasureId: string) =>
    fixture.call(erasureRpc.recording, { erasureId, organizationId, subject: { organization: true }, readThrough: 0 });

  it.each([
    [
      'its organization ends it',
      ({ ids }: RecordedClass, recordingId: string) => fixture.call(holdRecording, { ...ids, recordingId, legalHold: false }),
    ],
    [
      'it is known to be from before a restore',
      ({ ids: { organizationId } }: RecordedClass) => fixture.call(closingRpc.endHolds, { organizationId }),
    ],
  ])('waits for a legal hold that was set at the same moment, until %s', async (_, end) => {
    const { room } = await finished();
    const other = await finished();
    const { organizationId } = room.ids;
    const [{ recordingId } = { recordingId: '' }] = await room.list();
    const [{ recordingId: foreign } = { recordingId: '' }] = await other.room.list();
    await fixture.call(holdRecording, { ...room.ids, recordingId, legalHold: true });
    await fixture.call(holdRecording, { ...other.room.ids, recordingId: foreign, legalHold: true });
    const erasureId = `era_${randomUUID()}`;
    expect(await eraseAll(organizationId, erasureId)).toMatchObject({ isComplete: false });
    expect(await room.objects()).toHaveLength(1);
    await end(room, recordingId);
    await eventually(async () => expect(await eraseAll(organizationId, erasureId)).toMatchObject({ isComplete: true }));
    expect(await room.objects()).toEqual([]);
    expect(await other.room.objects()).toHaveLength(1);
    expect((await other.room.rows()).filter(({ heldAt }) => heldAt)).toHaveLength(1);
  });
});

describe('a file that arrives after its recording was given up', () => {
  /** A class with a recording that its recorder reported as failed. */
  const failed = async (overrides = {}) => {
    const room = fixture.newClass(overrides);
    await room.filming();
    const capture = room.capture();
    capture.vanish();
    await fixture.report(capture, 'egress_ended', { status: 'EGRESS_FAILED', error: 'the storage is unreachable' });
    await room.reaches('FAILED');
    return { room, capture };
  };
  const upload = ({ capture }: Awaited<ReturnType<typeof failed>>) =>
    fixture.bucket.put(capture.order.objectKey, capture.film, 'video/mp4');
  const longAgo = () => new Date(Date.now() - 7 * HOUR);
  const reported = async (one: Awaited<ReturnType<typeof failed>>) => {
    await upload(one);
    await fixture.report(one.capture, 'egress_ended', { status: 'EGRESS_COMPLETE', error: '' });
  };
  /** It is complete, has a file for an hour at least, and the audit leaves it. */
  const expectKept = async (room: RecordedClass) => {
    await room.reaches('COMPLETED');
    const { deletedAt, deleteAt, completedAt } = await room.row();
    expect([deletedAt, (deleteAt?.getTime() ?? 0) >= (completedAt?.getTime() ?? Infinity) + HOUR]).toEqual([null, true]);
    await fixture.restart();
    const { files } = await room.download();
    expect(files).toMatchObject([{ size: room.capture().film.length, duration: 7 }]);
    expect((await fetch(files[0]?.downloadUrl ?? '')).status).toBe(200);
  };

  it('wins over the deletion of what the recording had left, for an hour at least, and is copied', async () => {
    const school = await SchoolBucket.create(fixture);
    await school.set();
    const late = await failed(school.ids);
    const { room } = late;
    await room.end(longAgo());
    await deleted(room);
    await reported(late);
    await expectKept(room);
    await eventually(async () => expect((await room.list())[0]?.copy).toMatchObject({ status: 'COPIED' }));
    await fixture.drained();
    const published = room.facts().flatMap(({ what, data }) => ('version' in data ? [what] : []));
    expect(published.slice(-4)).toEqual(['failed', 'deleted', 'ending', 'completed']);
    const { deleteAt } = await room.row();
    await fixture.moveTo(new Date((deleteAt?.getTime() ?? 0) + SECOND));
    await deleted(room);
    await expect(room.download()).rejects.toMatchObject({ code: 'RECORDING_EXPIRED' });
    await school.gate.close();
  });

  inLongForm(it)('wins although it was never reported, at the first deletion, the second, and the audit of the bucket', async () => {
    const [first, second, audited] = [await failed(), await failed(), await failed()];
    await upload(first);
    for (const { room } of [first, second, audited]) await room.end(longAgo());
    await expectKept(first.room);
    const { deleteAt } = await deleted(second.room);
    await deleted(audited.room);
    await audited.room.setTime('delete_at', null);
    await upload(audited);
    await fixture.restart();
    await expectKept(audited.room);
    await upload(second);
    await fixture.moveTo(new Date((deleteAt?.getTime() ?? 0) + SECOND));
    await second.room.reaches('COMPLETED');
    expect(await second.room.objects()).toHaveLength(1);
  });

  inLongForm(it)('is not accepted if its class was erased, or if it cannot be played', async () => {
    const [erased, cut] = [await failed(), await failed()];
    for (const { room } of [erased, cut]) await room.end(longAgo());
    await deleted(erased.room);
    const { organizationId, roomId } = erased.room.ids;
    const request = { erasureId: `era_${randomUUID()}`, organizationId, subject: { roomId } };
    await eventually(async () => expect(await fixture.call(erasureRpc.recording, request)).toMatchObject({ isComplete: true }));
    await reported(erased);
    await deleted(cut.room);
    await fixture.bucket.put(cut.capture.order.objectKey, cut.capture.film.subarray(0, 59), 'video/mp4');
    await fixture.report(cut.capture, 'egress_ended', { status: 'EGRESS_COMPLETE', error: '' });
    await cut.room.rowHas({ status: 'FAILED', size: 59, deletedAt: null });
    await fixture.restart();
    await eventually(async () => expect(await erased.room.objects()).toEqual([]));
    await erased.room.rowHas({ status: 'FAILED', deletedAt: expect.any(Date) });
    await fixture.moveTo(new Date(Date.now() + HOUR + SECOND));
    await deleted(cut.room);
    expect(await cut.room.objects()).toEqual([]);
  });
});

describe('the parts of a merge', () => {
  it('are kept until it is made, and refused once their time is over', async () => {
    const classes = [fixture.newClass(), fixture.newClass()] as const;
    for (const room of classes) await room.recorded();
    for (const room of classes) await room.recorded();
    for (const room of classes) await room.end();
    const [merged, other] = classes;
    const deleteAt = Math.max(
      ...(await Promise.all(classes.map((room) => room.rowHas({ deleteAt: expect.any(Date) })))).map((row) => row.deleteAt?.getTime() ?? 0),
    );
    await fixture.moveTo(new Date(deleteAt - 5 * 60 * SECOND));
    await merged.merge();
    await fixture.moveTo(new Date(deleteAt + SECOND));
    await expect(other.merge()).rejects.toMatchObject({ code: 'RECORDING_EXPIRED' });
    await deleted(other);
    expect(await merged.objects()).toHaveLength(2);
    // The class's end is delivered again.
    await merged.publishEnd();
    await merged.reaches('COMPLETED', 'COMPLETED', 'ACTIVE');
    merged.capture().roomClosed();
    await merged.reaches('COMPLETED', 'COMPLETED', 'COMPLETED');
    expect((await merged.download()).files).toHaveLength(3);
    await fixture.moveTo(new Date(deleteAt + 3 * HOUR));
    await eventually(async () => expect(await merged.objects()).toEqual([]));
  });
});

describe('the export of a person', () => {
  const exported = async (organizationId: string, uid: string) => {
    const records = [];
    for (let cursor: string | null = null; ;) {
      const page: ExportPage = await fixture.call(exportRpc.recording, { organizationId, subject: { uid }, cursor });
      records.push(...page.records.map(({ data }) => data));
      if (page.next === null) return records;
      cursor = page.next;
    }
  };

  it('lists what was recorded while they were connected, with the time of both: parts, merged files and running ones, page by page', async () => {
    const room = fixture.newClass();
    const { organizationId, roomId, sid, title } = room.room;
    const other = fixture.newClass({ organizationId });
    await Promise.all([other.filming(), fixture.newClass().recorded()]);
    const ids = [await room.recorded(), await room.recorded()];
    await room.end();
    await room.merge();
    await room.reaches('COMPLETED', 'COMPLETED', 'ACTIVE');
    const [, , merged] = await room.list();
    const never = new Date(NaN);
    const recorded = (await room.rows()).filter(({ egressId }) => ids.includes(egressId ?? ''));
    const parts = recorded.map(({ activeAt, endedAt }) => ({ from: activeAt ?? never, until: endedAt ?? never }));
    const [first, second] = parts as [(typeof parts)[0], (typeof parts)[0]];
    const running = (await other.row()).activeAt ?? never;
    const at = (time: Date, ms: number) => new Date(time.getTime() + ms).toISOString();
    const stay = (joinedAt: string, leftAt: string | null, of = sid) => ({ sid: of, joinedAt, leftAt });
    const empty = Array.from({ length: 120 }, () => stay(at(first.from, -2), at(first.from, -1)));
    // Before the first part, from its middle to the middle of the second part, after it; and in a class that is recorded now.
    fixture.services.stays.set('mia', [
      ...empty,
      stay(at(first.from, 1), at(second.from, 1)),
      stay(at(second.until, 0), at(second.until, HOUR)),
      stay(at(running, -SECOND), null, other.sid),
    ]);
    const overlap = (recordingId: string | undefined, from: string, until: string | null, status = 'COMPLETED') => ({
      recordingId,
      sid,
      roomId,
      title,
      from,
      until,
      status,
      deletedAt: null,
    });
    const inParts = [
      [at(first.from, 1), at(first.until, 0)],
      [at(second.from, 0), at(second.from, 1)],
    ] as const;
    const listed = await exported(organizationId, 'mia');
    expect(listed).toHaveLength(5);
    expect(listed).toEqual(
      expect.arrayContaining([
        ...inParts.map(([from, until], index) => overlap(`rec_${ids[index]}`, from, until)),
        ...inParts.map(([from, until]) => overlap(merged?.recordingId, from, until, 'ACTIVE')),
        { ...overlap(expect.any(String), at(running, 0), null, 'ACTIVE'), sid: other.sid, roomId: other.room.roomId },
      ]),
    );
    expect(await exported(organizationId, 'ben')).toEqual([]);
    expect(await exported(fixture.newClass().room.organizationId, 'mia')).toEqual([]);
    await expect(fixture.call(exportRpc.recording, { organizationId, subject: { uid: 'mia' }, cursor: 'x' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });
});

describe('the audit of the bucket', () => {
  it('deletes what outlived its row or never had one for a day, and asks for the end of a class that was never delivered', async () => {
    const { room: gone, deleteAt, objectKey } = await finished();
    await fixture.moveTo(new Date(deleteAt.getTime() + SECOND));
    const { deleteAt: again } = await deleted(gone);
    await fixture.moveTo(new Date((again?.getTime() ?? 0) + SECOND));
    await gone.rowHas({ deleteAt: null });
    await fixture.stack.moveClock(0);
    const kept = await finished();
    const undelivered = fixture.newClass();
    await undelivered.recorded();
    undelivered.finish();
    // The room service does not know its class: neither the other ends nor the files wait for an answer.
    const unknown = fixture.newClass();
    await unknown.recorded();
    unknown.room.roomId = 'never-made';
    await fixture.stack.rows(`UPDATE recording.recordings SET room_id = 'never-made', sid = 'A' || sid WHERE sid = $1`, [unknown.sid]);
    const running = fixture.newClass();
    await running.recorded();
    const folder = objectKey.split('/').slice(0, 3).join('/');
    const [old, young, foreign] = [`${folder}/${randomUUID()}/1.mp4`, `${folder}/${randomUUID()}/1.mp4`, 'recordings/2026/11/algebra.mp4'];
    await fixture.app.stop();
    for (const key of [objectKey, old, young, foreign]) await fixture.bucket.put(key, makeFilm({ seconds: 1 }));
    const age = (key: string, ms: number) => {
      const at = (Date.now() - ms) / SECOND;
      utimesSync(join(fixture.stack.home, 's3', 'buckets', 'classroom', key), at, at);
    };
    age(old, DAY + 60 * SECOND);
    age(young, DAY - 60 * SECOND);
    await fixture.start();
    await eventually(async () => {
      const left = await fixture.bucket.list('recordings/');
      expect([objectKey, old, young, foreign, kept.objectKey].map((key) => left.has(key))).toEqual([false, false, true, true, true]);
    });
    await eventually(async () => expect(await fixture.metric('classroom_recording_overdue_objects')).toBe(2));
    for (const key of [young, foreign]) await fixture.bucket.delete(key);
    const { endedAt } = undelivered.room;
    await undelivered.rowHas({ classEndedAt: new Date(endedAt ?? ''), deleteAt: new Date(Date.parse(endedAt ?? '') + 6 * HOUR) });
    expect(await running.row()).toMatchObject({ classEndedAt: null, deleteAt: null });
  });
});

describe('the gauges', () => {
  it('count the recordings that are kept, by status, and how late their work is', async () => {
    const kept = async (status: string) => (await fixture.metric('classroom_recording_recordings', `status="${status}"`)) ?? 0;
    const [active, completed] = [await kept('ACTIVE'), await kept('COMPLETED')];
    const room = fixture.newClass();
    await room.filming();
    expect([await kept('ACTIVE'), await kept('COMPLETED')]).toEqual([active + 1, completed]);
    await room.stop();
    await room.reaches('COMPLETED');
    expect([await kept('ACTIVE'), await kept('COMPLETED')]).toEqual([active, completed + 1]);
    expect(await fixture.metric('classroom_job_overdue_seconds', 'queue="egress-finalization"')).toBe(0);
    const waiting = fixture.newClass();
    await waiting.filming();
    const capture = waiting.capture();
    capture.vanish();
    await fixture.report(capture, 'egress_ended', { status: 'EGRESS_COMPLETE' });
    await waiting.reaches('ENDING');
    const since = Date.now();
    await waiting.setTime('ended_at', new Date(since - 90 * SECOND));
    const late = await fixture.metric('classroom_job_overdue_seconds', 'queue="egress-finalization"');
    expect(late).toBeGreaterThanOrEqual(90);
    expect(late).toBeLessThanOrEqual(90 + (Date.now() - since) / SECOND);
    await fixture.bucket.put(capture.order.objectKey, capture.film, 'video/mp4');
    await waiting.reaches('COMPLETED');
  });
});
