import { verifyFilmToken } from '@classroom/platform';
import { byForm, eventually, inLongForm, storageOf } from '@classroom/testing';
import { ENGINES, RecordingFixture, SECOND } from './support/recording-fixture.js';
import type { RecordedClass } from './support/recorded-class.js';

let fixture: RecordingFixture;
beforeAll(async () => {
  fixture = await RecordingFixture.start();
});
afterEach(() => fixture.reset());
afterAll(() => fixture?.stop());

/** Waits until the watchdog has looked at the newest row: it then postpones its next look. */
const waitForWatchdog = async (room: RecordedClass, seconds = 0) => {
  await room.age(seconds);
  await eventually(async () => {
    const { lookAt } = await room.row();
    expect(lookAt === null || lookAt.getTime() > Date.now() + 5 * SECOND).toBe(true);
  });
};
/** The watchdog looks again `seconds` after a time between `since` and now. */
const expectNextLook = async (room: RecordedClass, seconds: number, since: number) => {
  const decidedAt = ((await room.row()).lookAt?.getTime() ?? NaN) - seconds * SECOND;
  expect(decidedAt).toBeGreaterThanOrEqual(since);
  expect(decidedAt).toBeLessThanOrEqual(Date.now());
};

describe('a recorder of our own that does not answer', () => {
  it('keeps a capture whose events arrive instead of the lost answer', async () => {
    const room = fixture.newClass();
    fixture.engine.behave({ losesAnswers: true, activeAfterMs: 500 });
    const egressId = await room.started();
    expect(await room.list()).toMatchObject([{ recordingId: `rec_${egressId}` }]);
    fixture.engine.resetBehaviour();
    await room.reaches('ACTIVE');
    await room.stop();
    await room.reaches('COMPLETED');
  });

  inLongForm(it)('is missing, and found when it is back', async () => {
    const room = fixture.newClass();
    await room.filming();
    fixture.recorder.behave({ isUnreachable: true });
    await room.age(0);
    await room.rowHas({ missingSince: expect.any(Date), status: 'ACTIVE' });
    expect(await room.list()).toMatchObject([{ health: 'STALLED', reason: null }]);
    fixture.recorder.resetBehaviour();
    await room.age(30);
    await room.rowHas({ missingSince: null, status: 'ACTIVE' });
    await room.stop();
    expect(await room.reaches('COMPLETED')).toMatchObject([{ health: 'OK', reason: null }]);
    await eventually(() => expect(room.healths()).toEqual(['STALLED', 'OK']));
  });

  it('makes health report the recorder as unreachable, and the service stays ready', async () => {
    const health = async () => (await fetch(`http://127.0.0.1:${fixture.stack.ports.probes['recording']}/readyz`)).status;
    fixture.recorder.behave({ isUnreachable: true });
    expect(await health()).toBe(200);
  });
});

// The rules are the same for both engines; engine-events.it.spec.ts has what differs.
describe.each(byForm({ short: ENGINES.slice(0, 1), long: ENGINES }))('with the engine %s, the watchdog', (kind) => {
  beforeAll(() => fixture.use(kind));

  it('learns the state of a recording whose events are lost', async () => {
    fixture.engine.behave({ isMute: true });
    const room = fixture.newClass();
    await room.started();
    await eventually(() => expect(room.capture().status).toBe('EGRESS_ACTIVE'));
    const since = Date.now();
    await room.age(0);
    await room.reaches('ACTIVE');
    await expectNextLook(room, 30, since);
    await room.stop();
    await eventually(() => expect(room.capture().status).toBe('EGRESS_COMPLETE'));
    await room.age(0);
    await room.reaches('COMPLETED');
    expect(room.noted()).toEqual(expect.arrayContaining(['STARTING', 'ACTIVE', 'ENDING', 'COMPLETED']));
  });

  it('stops a capture that started although its caller got no answer, and lists nothing', async () => {
    const room = fixture.newClass();
    fixture.engine.behave({ losesAnswers: true, isMute: true });
    await expect(room.start()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await room.list()).toEqual([]);
    await room.age(20);
    await eventually(() => expect(room.capture().isRunning).toBe(false));
    expect(room.captures()).toHaveLength(1);
    expect(await room.list()).toEqual([]);
    expect((await room.rows()).map(({ status }) => status)).toEqual(['REFUSED']);
  });

  inLongForm(it)('names a recording whose process died after the engine accepted it, and refuses one that no engine got', async () => {
    const [accepted, reserved] = [fixture.newClass(), fixture.newClass()];
    fixture.engine.behave({ isMute: true });
    await fixture.crashAt('start.after-engine', () => accepted.start());
    await fixture.crashAt('start.after-reserve', () => reserved.start());
    await fixture.start();
    await eventually(() => expect(accepted.capture().status).toBe('EGRESS_ACTIVE'));
    await accepted.age(20);
    await reserved.age(20);
    const { egressId } = accepted.capture().order;
    await accepted.rowHas({ status: 'ACTIVE', egressId, engineIds: [egressId] });
    await reserved.rowHas({ status: 'REFUSED', egressId: null });
    expect(reserved.captures()).toEqual([]);
    fixture.engine.resetBehaviour();
    await reserved.filming();
    await reserved.stop();
    await accepted.stop();
    await eventually(() => expect(accepted.capture().status).toBe('EGRESS_COMPLETE'));
    await accepted.age(0);
    await accepted.reaches('COMPLETED');
  });

  it('starts a recording that does not begin within 30 s once more under its own id, and then fails it', async () => {
    fixture.engine.behave({ activeAfterMs: null });
    const room = fixture.newClass();
    const egressId = await room.started();
    await waitForWatchdog(room, 20);
    expect(room.captures()).toHaveLength(1);
    const since = Date.now();
    await room.age(11);
    await eventually(async () => expect([await room.row(), room.captures().length]).toMatchObject([{}, 2]));
    const [first, second] = room.captures();
    await eventually(() => expect(first?.status).toBe('EGRESS_ABORTED'));
    const row = await room.rowHas({ status: 'STARTING', egressId, engineIds: [egressId, second?.order.egressId] });
    expect(row.attemptedAt.getTime()).toBeGreaterThanOrEqual(since);
    await expectNextLook(room, 30, since);
    expect([first, second].map((capture) => capture?.order.objectKey.split('/').slice(3))).toEqual([
      [row.key, '1.mp4'],
      [row.key, '2.mp4'],
    ]);
    expect(await room.list()).toMatchObject([{ recordingId: `rec_${egressId}`, status: 'STARTING', health: 'RETRYING' }]);
    await room.age(31);
    await room.reaches('FAILED');
    expect(await room.row()).toMatchObject({ reason: 'The recording did not begin in time', egressId, lookAt: null, missingSince: null });
    await eventually(() => expect(room.captures().map(({ isRunning }) => isRunning)).toEqual([false, false]));
    await eventually(() => expect(room.noted().at(-1)).toBe('FAILED'));
    expect(await room.list()).toMatchObject([{ health: 'FAILED', reason: 'The recording did not begin in time' }]);
    await eventually(() => expect(room.healths()).toEqual(['RETRYING', 'FAILED']));
    expect(room.captures()).toHaveLength(2);
  });

  inLongForm(it)('makes one recording with the file of the second attempt if that begins', async () => {
    fixture.engine.behave({ activeAfterMs: null });
    const room = fixture.newClass();
    const egressId = await room.started();
    // Slow enough for the end of the first attempt to arrive before the start of the second.
    fixture.engine.behave({ activeAfterMs: 100, acceptsAfterMs: 700 });
    await room.age(31);
    expect(await room.reaches('ACTIVE')).toMatchObject([{ recordingId: `rec_${egressId}` }]);
    await room.stop(egressId);
    await room.reaches('COMPLETED');
    const row = await room.row();
    expect(row.objectKey).toMatch(/\/2\.mp4$/);
    expect(await room.objects()).toEqual([row.objectKey]);
  });

  inLongForm(it)('fails a recording if no recorder is free for its second attempt', async () => {
    fixture.engine.behave({ activeAfterMs: null });
    const room = fixture.newClass();
    await room.started();
    fixture.engine.behave({ slots: 0 });
    await room.age(31);
    await room.reaches('FAILED');
    expect(await room.row()).toMatchObject({ reason: 'The recording did not begin in time', lookAt: null });
    expect(room.captures()).toHaveLength(1);
    await eventually(() => expect(room.capture().isRunning).toBe(false));
  });

  it('fails a recording 25 s after its recorder was lost, and completes it if its file appears later', async () => {
    const room = fixture.newClass();
    await room.filming();
    const lost = room.capture();
    lost.vanish();
    const since = Date.now();
    await room.age(0);
    const missing = await room.rowHas({ missingSince: expect.any(Date) });
    await expectNextLook(room, 25, since);
    await waitForWatchdog(room, 15);
    expect(await room.row()).toMatchObject({ status: 'ACTIVE', missingSince: expect.any(Date), key: missing.key });
    await room.age(10);
    // A look that begins while the one before has not ended is left out.
    await eventually(async () => {
      await room.age(0);
      expect((await room.list()).map(({ status }) => status)).toEqual(['FAILED']);
    });
    const failed = await room.row();
    expect(failed).toMatchObject({ reason: 'The recorder was lost', missingSince: null, lookAt: null, endedAt: expect.any(Date) });
    await eventually(() => expect(room.noted().at(-1)).toBe('FAILED'));
    await room.filming();
    await lost.recover();
    await room.reaches('COMPLETED', 'ACTIVE');
    expect((await room.rows())[0]).toMatchObject({ reason: 'the recording was cut', duration: 7 });
    await room.stop();
    expect(await room.reaches('COMPLETED', 'COMPLETED')).toMatchObject([
      { health: 'CUT', reason: 'the recording was cut' },
      { health: 'OK' },
    ]);
    await eventually(() => expect(room.healths()).toEqual(['STALLED', 'FAILED', 'CUT']));
  });

  inLongForm(it)('starts a recording again if its recorder was lost before it began', async () => {
    fixture.engine.behave({ activeAfterMs: null });
    const room = fixture.newClass();
    const egressId = await room.started();
    room.capture().vanish();
    await room.age(0);
    await room.rowHas({ missingSince: expect.any(Date) });
    fixture.engine.resetBehaviour();
    await room.age(25);
    expect(await room.reaches('ACTIVE')).toMatchObject([{ recordingId: `rec_${egressId}` }]);
    expect(await room.row()).toMatchObject({ missingSince: null, engineIds: [egressId, room.capture().order.egressId] });
    expect(room.captures()).toHaveLength(2);
    await room.stop();
    await room.reaches('COMPLETED');
  });

  it('fails an ending recording that has no file after 30 minutes, and not before', async () => {
    fixture.engine.behave({ endsAfterMs: 60_000 });
    const room = fixture.newClass();
    await room.filming();
    await room.stop();
    await eventually(() => expect(room.capture().status).toBe('EGRESS_ENDING'));
    await waitForWatchdog(room, 29 * 60 + 30);
    expect((await room.row()).status).toBe('ENDING');
    await room.age(31);
    await room.reaches('FAILED');
    const row = await room.row();
    expect(row).toMatchObject({ reason: 'The recorder did not finish the file', lookAt: null });
    expect((row.endedAt?.getTime() ?? 0) < Date.now() - 30 * 60 * SECOND).toBe(true);
    room.capture().vanish();
  });

  it('keeps a running recording, however long it runs', async () => {
    const room = fixture.newClass();
    await room.filming();
    await waitForWatchdog(room, 3 * 3600);
    expect(await room.row()).toMatchObject({ status: 'ACTIVE', missingSince: null });
    expect(room.capture().stops).toBe(0);
    await room.stop();
    await room.reaches('COMPLETED');
  });
});

describe('LiveKit Egress', () => {
  beforeAll(() => fixture.use('egress'));

  inLongForm(it)('that does not answer proves nothing: the recording stays as it is', async () => {
    const room = fixture.newClass();
    await room.filming();
    fixture.egress.behave({ isUnreachable: true });
    await waitForWatchdog(room, 30);
    expect(await room.row()).toMatchObject({ status: 'ACTIVE', missingSince: null });
    fixture.egress.resetBehaviour();
    await room.stop();
    await room.reaches('COMPLETED');
  });

  it('gets our page as the template, the preset, and the storage with its key', async () => {
    const room = fixture.newClass({ title: 'A & b' });
    await room.start({ layout: 'speaker', preset: 'H264_720P_30' }, 'https://school.example/logo.png');
    const plain = fixture.newClass();
    await plain.start({ showLogo: false }, 'https://school.example/logo.png');
    const { urls, secrets } = fixture.stack;
    const { key } = await room.row();
    expect(room.capture().order.objectKey).toMatch(new RegExp(`^recordings/[0-9a-f]{24}/${room.sid}/${key}/1\\.mp4$`));
    const output = {
      fileType: 'MP4',
      filepath: room.capture().order.objectKey,
      disableManifest: true,
      s3: {
        endpoint: urls.s3,
        region: 'us-east-1',
        bucket: 'classroom',
        accessKey: 'egress',
        secret: storageOf({ urls, secrets }, 'egress').S3_SECRET_ACCESS_KEY,
        forcePathStyle: true,
      },
    };
    const page = `${urls.gateway}/recording`;
    const addressOf = (one: typeof room) => new URL((one.capture().order.request as { customBaseUrl: string }).customBaseUrl);
    const withoutFragment = ({ href, hash }: URL) => href.slice(0, href.length - hash.length);
    for (const one of [room, plain]) {
      const boardToken = new URLSearchParams(addressOf(one).hash.slice(1)).get('board') ?? '';
      expect(verifyFilmToken([secrets['livekitApiSecret'] ?? ''], boardToken)).toBe(one.sid);
    }
    expect(withoutFragment(addressOf(room))).toBe(
      `${page}?title=A+%26+b&logo=${encodeURIComponent(room.logoPath('https://school.example/logo.png'))}`,
    );
    expect(withoutFragment(addressOf(plain))).toBe(`${page}?title=Algebra+I&logo=`);
    expect(room.capture().order.request).toMatchObject({
      roomName: room.sid,
      layout: 'speaker',
      fileOutputs: [output],
    });
    expect(plain.capture().order.request).toMatchObject({
      layout: 'grid',
      preset: 'H264_1080P_30',
    });
    const sound = fixture.newClass();
    await sound.start({ audioOnly: true });
    expect(sound.capture().order.request).toMatchObject({ audioOnly: true, fileOutputs: [{ fileType: 'MP4' }] });
    for (const one of [room, plain, sound]) await one.stop();
  });
});
