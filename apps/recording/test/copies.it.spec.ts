import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deleteRecordingBucket, ERASURE_KEPT_COPIES, erasureRpc, getRecordingBucket, type RecordingCopyShown } from '@classroom/contracts';
import { eventually, inLongForm, rowsWith } from '@classroom/testing';
import type { RecordedClass } from './support/recorded-class.js';
import { DAY, HOUR, RecordingFixture, SECOND } from './support/recording-fixture.js';
import { SchoolBucket, WRITE_ONLY } from './support/school-bucket.js';

const MIB = 1024 ** 2;

let fixture: RecordingFixture;
const schools: SchoolBucket[] = [];
beforeAll(async () => {
  fixture = await RecordingFixture.start();
});
afterEach(async () => {
  await fixture.reset();
  for (const school of schools.splice(0)) {
    await fixture.call(deleteRecordingBucket, school.ids).catch(() => undefined);
    await school.gate.close();
  }
});
afterAll(() => fixture?.stop());

async function newSchool(): Promise<SchoolBucket> {
  const school = await SchoolBucket.create(fixture);
  schools.push(school);
  return school;
}
const newClass = ({ organizationId }: SchoolBucket) => fixture.newClass({ organizationId });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Records a film that is followed by so many bytes that no player reads. */
async function record(room: RecordedClass, moreBytes = 0): Promise<Buffer> {
  await room.filming();
  const capture = room.capture();
  const block = Buffer.from(Uint8Array.from({ length: MIB }, (_, at) => (at * 31 + (at >> 8)) % 256));
  const free = Buffer.alloc(moreBytes > 0 ? 8 : 0);
  if (moreBytes > 0) free.writeUInt32BE(moreBytes + 8, 0);
  if (moreBytes > 0) free.write('free', 4, 'latin1');
  const blocks = Array.from({ length: Math.ceil(moreBytes / MIB) }, () => block);
  const film = Buffer.concat([capture.film, free, Buffer.concat(blocks).subarray(0, moreBytes)]);
  Object.assign(capture, { film });
  await room.stop();
  return film;
}

/** Waits until the copy of the newest recording contains these values. */
const copyHas = (room: RecordedClass, values: { [Name in keyof RecordingCopyShown]?: unknown }) =>
  eventually(async () => {
    const copy = (await room.list()).at(-1)?.copy;
    expect(copy).toMatchObject(values);
    return copy;
  });
const rowOf = async (room: RecordedClass) => {
  const { key } = await room.row();
  const rows = await fixture.stack.rows<{ attempts: number }>('SELECT attempts FROM recording.recording_copies WHERE recording_key = $1', [
    key,
  ]);
  return rows[0];
};
/** Facts about the copies of a class, such as `completed`. */
const copyFacts = async (room: RecordedClass) => {
  await fixture.drained();
  return room.facts().filter(({ data }) => !('version' in data));
};

describe('the bucket of an organization', () => {
  it('is stored after a test object was written, shown without the secret, and deleted', async () => {
    const school = await newSchool();
    await expect(fixture.call(getRecordingBucket, school.ids)).rejects.toMatchObject({ code: 'RECORDING_BUCKET_NOT_FOUND' });
    const shown = await school.set();
    expect(shown).toEqual({
      endpoint: school.gate.url,
      region: 'us-east-1',
      bucket: school.name,
      prefix: 'classes/2026',
      accessKeyId: school.accessKeyId,
      forcePathStyle: true,
      state: 'OK',
      error: null,
      failingSince: null,
      lastCopiedAt: null,
      updatedAt: expect.any(String),
    });
    expect([...(await school.bucket.list('')).keys()]).toEqual(['classes/2026/virtual-classroom-test.txt']);
    expect(await fixture.call(getRecordingBucket, school.ids)).toEqual(shown);
    await expect(fixture.call(getRecordingBucket, (await newSchool()).ids)).rejects.toMatchObject({ code: 'RECORDING_BUCKET_NOT_FOUND' });
    await fixture.call(deleteRecordingBucket, school.ids);
    await expect(fixture.call(deleteRecordingBucket, school.ids)).rejects.toMatchObject({ code: 'RECORDING_BUCKET_NOT_FOUND' });
  });

  it('is refused with its cause if no test object can be written, and nothing is stored', async () => {
    const school = await newSchool();
    const other = await newSchool();
    const refused = (path: string) => ({ code: 'RECORDING_BUCKET_REFUSED', details: [{ path, message: expect.any(String) }] });
    await expect(school.set({ secretAccessKey: 'another-secret-of-the-key' })).rejects.toMatchObject(refused('accessKeyId'));
    await expect(school.set({ accessKeyId: 'unknown-key' })).rejects.toMatchObject(refused('accessKeyId'));
    await expect(school.set({ bucket: other.name })).rejects.toMatchObject(refused('accessKeyId'));
    await expect(school.set({ bucket: 'no-such-bucket' })).rejects.toMatchObject(refused('bucket'));
    await school.gate.close();
    await expect(school.set()).rejects.toMatchObject(refused('endpoint'));
    await expect(school.set({ endpoint: 'http://192.168.0.1' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(school.set({ endpoint: 'https://169.254.169.254' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(fixture.call(getRecordingBucket, school.ids)).rejects.toMatchObject({ code: 'RECORDING_BUCKET_NOT_FOUND' });
    expect([await school.keys(), await other.keys()]).toEqual([[], []]);
  });
});

describe('a finished recording', () => {
  it('is copied with its metadata to the bucket of its organization and to no other', async () => {
    const [school, other] = [await newSchool(), await newSchool()];
    await school.bucket.allow(school.accessKeyId, ['s3:PutObject']);
    await school.set();
    const [room, foreign] = [newClass(school), newClass(other)];
    // First, because the upload of the long film keeps this process busy, which also answers for the room service.
    await record(foreign);
    const film = await record(room, 20 * MIB);
    const copy = await copyHas(room, { status: 'COPIED' });
    await foreign.reaches('COMPLETED');
    const { egressId } = await room.row();
    const key = `classes/2026/${room.room.roomId}/rec_${egressId}.mp4`;
    expect(copy).toEqual({ status: 'COPIED', copiedAt: expect.any(String), key, error: null });
    expect((await foreign.list())[0]?.copy).toBeNull();
    expect([await school.keys(), await other.keys()]).toEqual([[key.replace('.mp4', '.json'), key], []]);
    expect(sha256(await school.bucket.get(key))).toBe(sha256(film));
    const sidecar = JSON.parse((await school.bucket.get(key.replace('.mp4', '.json'))).toString());
    expect(sidecar).toMatchObject({
      recordingId: `rec_${egressId}`,
      ...pick(room),
      key,
      size: film.length,
      sha256: sha256(film),
      duration: 7,
    });
    const facts = await copyFacts(room);
    expect(facts).toMatchObject([
      { what: 'completed', data: { egressId, key, bucket: school.name, size: film.length, sha256: sha256(film) } },
    ]);
    await room.end();
    expect((await room.download()).files[0]?.copy).toEqual(copy);
    expect(await fixture.call(getRecordingBucket, school.ids)).toMatchObject({ state: 'OK', lastCopiedAt: copy?.copiedAt });
  });

  inLongForm(it)('is copied once and whole if the worker is killed in the middle, and its first parts are freed', async () => {
    const school = await newSchool();
    await school.set();
    const room = newClass(school);
    let film: Buffer = Buffer.alloc(0);
    await fixture.crashAt('copy.after-part', async () => void (film = await record(room, 20 * MIB)));
    expect([await school.keys(), await school.bucket.uploads('')]).toEqual([[], [expect.stringContaining(room.room.roomId)]]);
    await fixture.start();
    const { key } = (await copyHas(room, { status: 'COPIED' })) ?? {};
    expect(await school.keys()).toHaveLength(2);
    expect(await school.bucket.uploads('')).toEqual([]);
    expect(sha256(await school.bucket.get(key ?? ''))).toBe(sha256(film));
    expect(await copyFacts(room)).toMatchObject([{ what: 'completed' }]);
  });

  inLongForm(it)('is copied once if the worker is killed before its commit', async () => {
    const school = await newSchool();
    await school.set();
    const room = newClass(school);
    await fixture.crashAt('copy.before-commit', () => record(room));
    await fixture.start();
    await copyHas(room, { status: 'COPIED' });
    expect(await school.keys()).toHaveLength(2);
    expect(await copyFacts(room)).toMatchObject([{ what: 'completed' }]);
  });

  inLongForm(it)('is copied without Redis, and if its copy was never requested', async () => {
    const school = await newSchool();
    await school.set();
    const room = newClass(school);
    await room.filming();
    await fixture.stack.part('redis').stop();
    await room.stop();
    await copyHas(room, { status: 'COPIED' });
    await fixture.stack.part('redis').start();
    await fixture.app.stop();
    await fixture.stack.rows('DELETE FROM recording.recording_copies WHERE organization_id = $1', [school.organizationId]);
    for (const key of await school.keys()) await school.bucket.delete(key);
    await fixture.start();
    await copyHas(room, { status: 'COPIED' });
    expect(await school.keys()).toHaveLength(2);
  });

  inLongForm(it)('is copied in little memory', async () => {
    const school = await newSchool();
    await school.set();
    await fixture.restart();
    const room = newClass(school);
    await record(newClass(school), MIB);
    await eventually(async () => expect(await school.keys()).toHaveLength(2));
    const before = peakMemory();
    const film = await record(room, 300 * MIB);
    const { key } = (await eventually(async () => {
      const copy = (await room.list())[0]?.copy;
      expect(copy?.status).toBe('COPIED');
      return copy;
    }, 120_000)) ?? { key: null };
    expect(peakMemory() - before).toBeLessThan(150 * MIB);
    expect((await school.bucket.list('')).get(key ?? '')).toBe(film.length);
  });
});

describe('a copy that fails', () => {
  it('is tried again until the bucket is reachable', async () => {
    const school = await newSchool();
    await school.set();
    await school.gate.close();
    const room = newClass(school);
    await record(room);
    await copyHas(room, { status: 'PENDING', error: 'unreachable', key: null, copiedAt: null });
    expect(await fixture.call(getRecordingBucket, school.ids)).toMatchObject({
      state: 'FAILING',
      error: 'unreachable',
      failingSince: expect.any(String),
    });
    await school.gate.open();
    await fixture.moveTo(new Date(Date.now() + HOUR));
    await copyHas(room, { status: 'COPIED', error: null });
    expect(await fixture.call(getRecordingBucket, school.ids)).toMatchObject({ state: 'OK', error: null, failingSince: null });
  });

  inLongForm(it)('because the key was revoked is given up after a week, and tried again when the bucket is set', async () => {
    const school = await newSchool();
    await school.set();
    await school.bucket.allow(school.accessKeyId, []);
    const room = newClass(school);
    await record(room);
    await copyHas(room, { status: 'PENDING', error: 'access-denied' });
    const { attempts = 0 } = (await rowOf(room)) ?? {};
    await fixture.moveTo(new Date(Date.now() + DAY));
    await eventually(async () => expect((await rowOf(room))?.attempts).toBeGreaterThan(attempts));
    expect(await copyFacts(room)).toEqual([]);
    await fixture.moveTo(new Date(Date.now() + 7 * DAY + HOUR));
    await copyHas(room, { status: 'FAILED', error: 'access-denied' });
    expect(await copyFacts(room)).toMatchObject([{ what: 'failed', data: { error: 'access-denied', attempts: expect.any(Number) } }]);
    await expect(school.set()).rejects.toMatchObject({ code: 'RECORDING_BUCKET_REFUSED' });
    await school.bucket.allow(school.accessKeyId, WRITE_ONLY);
    await school.set();
    await copyHas(room, { status: 'COPIED', error: null });
    expect((await copyFacts(room)).map(({ what }) => what)).toEqual(['failed', 'completed']);
  });

  it('keeps the file for a day after its retention', async () => {
    const [school, other] = [await newSchool(), await newSchool()];
    await school.set();
    await school.gate.close();
    const [saved, lost, free] = [newClass(school), newClass(school), newClass(other)];
    for (const room of [saved, lost, free]) {
      await record(room);
      await room.reaches('COMPLETED');
      await room.end();
    }
    const { deleteAt } = await lost.rowHas({ deleteAt: expect.any(Date) });
    const due = deleteAt?.getTime() ?? 0;
    await saved.rowHas({ deleteAt: expect.any(Date) });
    await free.rowHas({ deleteAt: expect.any(Date) });
    await fixture.moveTo(new Date(due + HOUR));
    await free.rowHas({ deletedAt: expect.any(Date) });
    for (const room of [saved, lost]) expect([(await room.row()).deletedAt, await room.objects()]).toEqual([null, [expect.any(String)]]);
    // The bucket takes the copy of one of them only: without an error, the success of the other does not hasten this one. An attempt that is
    // in progress has another number, so its result is dropped.
    await fixture.stack.rows(
      "UPDATE recording.recording_copies SET next_attempt_at = now() + interval '2 days', error = NULL, attempts = attempts + 1 WHERE recording_key = $1",
      [(await lost.row()).key],
    );
    await school.gate.open();
    await fixture.moveTo(new Date(due + 2 * HOUR));
    await copyHas(saved, { status: 'COPIED' });
    await saved.rowHas({ deletedAt: expect.any(Date) });
    await school.gate.close();
    await fixture.moveTo(new Date(due + DAY + SECOND));
    await lost.rowHas({ deletedAt: expect.any(Date) });
    await copyHas(lost, { status: 'FAILED', key: null });
    expect(await lost.objects()).toEqual([]);
    expect(await copyFacts(lost)).toMatchObject([{ what: 'failed' }]);
  });

  it('is given up when the bucket is deleted', async () => {
    const school = await newSchool();
    await school.set();
    await school.gate.close();
    const room = newClass(school);
    await record(room);
    await copyHas(room, { status: 'PENDING' });
    await fixture.call(deleteRecordingBucket, school.ids);
    await copyHas(room, { status: 'FAILED', error: 'bucket-removed' });
    expect(await copyFacts(room)).toMatchObject([{ what: 'failed', data: { error: 'bucket-removed' } }]);
  });
});

describe('the erasure of a class', () => {
  it('ends its copies, deletes its files at once, and counts what is in the bucket of the organization', async () => {
    const school = await newSchool();
    await school.set();
    const [copied, waiting] = [newClass(school), newClass(school)];
    await record(copied);
    await copyHas(copied, { status: 'COPIED' });
    await school.gate.close();
    await record(waiting);
    await copyHas(waiting, { status: 'PENDING', error: 'unreachable' });
    const erased = async (room: RecordedClass) => {
      await room.end();
      await room.rowHas({ classEndedAt: expect.any(Date) });
      const { organizationId, roomId } = room.room;
      const request = { erasureId: `era_${randomUUID()}`, organizationId, subject: { roomId } };
      return eventually(async () => {
        const outcome = await fixture.call(erasureRpc.recording, request);
        expect(outcome.isComplete).toBe(true);
        return outcome.counts;
      });
    };
    expect(await erased(waiting)).toEqual({ recordings: 1, 'recordings on legal hold, kept': 0 });
    expect((await waiting.list())[0]?.copy).toMatchObject({ status: 'FAILED', error: 'erased' });
    await school.gate.open();
    await school.set();
    expect(await erased(copied)).toMatchObject({ recordings: 1, [ERASURE_KEPT_COPIES]: 1 });
    expect((await waiting.list())[0]?.copy).toMatchObject({ status: 'FAILED', error: 'erased' });
    expect(await school.keys()).toHaveLength(2);
  });
});

it('the secret of a bucket is in no table, log or fact', async () => {
  const school = await newSchool();
  await school.set();
  await school.set({ secretAccessKey: `${school.secretAccessKey}-wrong` }).catch(() => undefined);
  await school.bucket.allow(school.accessKeyId, []);
  const room = newClass(school);
  await record(room);
  await copyHas(room, { error: 'access-denied' });
  await fixture.drained();
  const { organizationId } = school;
  const tables = ['recording.recording_buckets', 'recording.outbox'];
  expect(Object.keys(await rowsWith(fixture.stack, organizationId))).toEqual(expect.arrayContaining(tables));
  expect(await rowsWith(fixture.stack, school.secretAccessKey)).toEqual({});
  const files = [...fixture.stack.files('logs'), ...fixture.stack.files('traces')];
  expect(files.filter((file) => !/s3/.test(file) && fixture.stack.read(file).includes(school.secretAccessKey))).toEqual([]);
});

const pick = ({ room: { roomId, sid, title } }: RecordedClass) => ({ roomId, sid, title });

/** Peak resident memory of the service, in bytes. */
function peakMemory(): number {
  const status = readFileSync(`/proc/${fixture.app.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
