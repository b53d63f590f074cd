import { ApiClient, Bucket, eventually, newOrganization, rowsWith, type NewOrganization } from '@classroom/testing';
import { startRecordingFixture, type RecordingFixture } from './recording-fixture.js';

const PATH = '/v1/recording-bucket';
const WRITER = { accessKeyId: 'school-writer', secretAccessKey: 'secret-of-the-school-writer-4711' };

/** The organization's own bucket as its backend sees it, with the real storage and a simulated recorder. */
describe('the bucket for recordings', () => {
  let fixture: RecordingFixture;
  let api: ApiClient;
  let stranger: NewOrganization;
  let bucket: Bucket;

  beforeAll(async () => {
    fixture = await startRecordingFixture();
    ({ api } = fixture);
    stranger = await newOrganization(fixture.stack);
    const own = Bucket.of(fixture.stack);
    await own.createSibling('school', WRITER);
    bucket = own.sibling('school');
    await bucket.allow(WRITER.accessKeyId, ['s3:PutObject']);
  });
  afterAll(() => fixture?.stop());

  const settings = (changes: object = {}) => ({ endpoint: fixture.stack.urls.s3, bucket: 'school', ...WRITER, ...changes });

  it('is refused with its cause, and stored only if it can be written to', async () => {
    const wrong = await api.put(PATH, settings({ secretAccessKey: 'another-secret' }));
    expect([wrong.status, wrong.body]).toEqual([
      422,
      {
        success: false,
        error: 'RECORDING_BUCKET_REFUSED',
        message: expect.stringContaining('access was denied'),
        details: [{ path: 'accessKeyId', message: expect.any(String) }],
        requestId: expect.any(String),
      },
    ]);
    for (const [field, value] of [
      ['endpoint', 'http://10.0.0.1:9000'],
      ['endpoint', 'https://user:password@s3.school.example'],
      ['endpoint', 'https://s3.school.example/path'],
      ['bucket', 'A'],
      ['prefix', '../other'],
      ['prefix', '/absolute'],
      ['prefix', 'a//b'],
    ] as const) {
      const { status, body } = await api.put(PATH, settings({ [field]: value }));
      expect([field, value, status, body.details?.[0]?.path]).toEqual([field, value, 400, field]);
    }
    expect((await api.get(PATH)).body.error).toBe('RECORDING_BUCKET_NOT_FOUND');
    const set = await api.put(PATH, settings());
    expect([set.status, set.text.includes(WRITER.secretAccessKey)]).toEqual([200, false]);
    expect(set.body.data).toMatchObject({ bucket: 'school', prefix: '', region: 'us-east-1', state: 'OK', error: null });
    expect((await api.get(PATH)).body.data).toEqual(set.body.data);
  });

  it('is for its organization alone, and for keys with the scope recordings:manage', async () => {
    await api.put(PATH, settings());
    expect((await stranger.api.get(PATH)).body.error).toBe('RECORDING_BUCKET_NOT_FOUND');
    expect((await stranger.api.delete(PATH)).body.error).toBe('RECORDING_BUCKET_NOT_FOUND');
    const keyOf = async (...scopes: string[]) => {
      const { secret } = (await api.post('/v1/api-keys', { name: 'Key', scopes })).body.data;
      return new ApiClient(fixture.stack.urls.gateway).bearer(secret);
    };
    const [narrow, wide] = [await keyOf('recordings:read', 'recordings:write'), await keyOf('recordings:manage')];
    expect([(await narrow.get(PATH)).status, (await narrow.put(PATH, settings())).status, (await narrow.delete(PATH)).status]).toEqual([
      403, 403, 403,
    ]);
    expect([(await wide.get(PATH)).status, (await wide.put(PATH, settings())).status]).toEqual([200, 200]);
  });

  it('receives each recording, which an event reports, and its secret is nowhere in clear', async () => {
    await api.put(PATH, settings({ prefix: 'classes/' }));
    const room = await fixture.open();
    const egressId = await room.recorded();
    const key = `classes/${room.roomId}/rec_${egressId}.mp4`;
    await eventually(async () => {
      const [recording] = (await api.get(`/v1/room/${room.roomId}/recordings`)).body.data;
      expect(recording?.copy).toEqual({ status: 'COPIED', copiedAt: expect.any(String), key, error: null });
    });
    expect([...(await bucket.list('classes/')).keys()]).toEqual(
      ['classes/virtual-classroom-test.txt', key.replace('.mp4', '.json'), key].sort(),
    );
    const copied = await eventually(async () => {
      const { events } = (await api.get('/v1/events?types=recording.copied')).body.data;
      expect(events).toHaveLength(1);
      return events[0];
    });
    expect(copied?.data).toMatchObject({ roomId: room.roomId, recordingId: `rec_${egressId}`, egressId, bucket: 'school', key });
    expect(JSON.stringify(copied)).not.toContain(WRITER.accessKeyId);

    const entry = await eventually(async () => {
      const { entries } = (await api.get('/v1/audit?operation=setRecordingBucket')).body.data;
      expect(entries.length).toBeGreaterThan(0);
      return entries[0];
    });
    expect(entry?.fields).toEqual(expect.arrayContaining(['secretAccessKey']));
    const { stack } = fixture;
    expect(Object.keys(await rowsWith(stack, WRITER.accessKeyId))).toContain('recording.recording_buckets');
    expect(Object.keys(await rowsWith(stack, room.roomId))).toContain('organization.events');
    const found = Object.keys(await rowsWith(stack, WRITER.secretAccessKey));
    const files = [...stack.files('logs'), ...stack.files('traces')];
    found.push(...files.filter((file) => stack.read(file).includes(WRITER.secretAccessKey)));
    expect(found).toEqual([]);
  });

  it('can be deleted', async () => {
    await api.put(PATH, settings());
    expect((await api.delete(PATH)).body.data).toEqual({ deletedAt: expect.any(String) });
    expect([(await api.get(PATH)).status, (await api.delete(PATH)).status]).toEqual([404, 404]);
  });
});
