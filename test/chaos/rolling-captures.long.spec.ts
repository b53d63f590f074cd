/** @lane real-time */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiClient,
  eventually,
  expectRecordingInvariants,
  metricSample,
  newOrganization,
  PatternPerson,
  probe,
  type Pattern,
  RecordedRoom,
  RtcParticipant,
  sleep,
  TestStack,
} from '@classroom/testing';

/** Longer than the captures of this test, in seconds. */
const DRAIN_S = 300;
const PATTERN: Pattern = { color: [170, 100], hertz: 1_000 };
/** How much the length of a film may differ from the time for which it was captured, in seconds. */
const TOLERANCE_S = 4;

/** LiveKit, Chromium and ffmpeg are real. */
describe('the replacement of a recorder during a capture', () => {
  let stack: TestStack;
  let api: ApiClient;
  let folder: string;
  const people: PatternPerson[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captures-'));
    // Each recorder has a slot for a second class, which the draining one must not accept.
    const env = { recorder: { DRAIN_SECONDS: String(DRAIN_S), RECORDER_SLOTS: '2' } };
    stack = await TestStack.start({ apps: ['organization', 'room', 'gateway', 'billing', 'recording', 'recorder'], env });
    ({ api } = await newOrganization(stack));
  });
  afterAll(async () => {
    await Promise.all(people.map((person) => person.leave().catch(() => undefined)));
    await RtcParticipant.disposeAll();
    await stack?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const open = () =>
    RecordedRoom.open(stack, api, async ({ token }) => people.push(await PatternPerson.connect(stack.urls.livekitPublic, token, PATTERN)));

  /** Resolves with the time of its first frame, in milliseconds. */
  async function filming(room: RecordedRoom): Promise<number> {
    await room.started();
    const [recording] = await room.reaches(['ACTIVE'], 60_000);
    return Date.parse(recording?.startedAt ?? '');
  }

  /** Stops the recording. Its film must be as long as the capture, which ends between the request and the status, and must not be cut off. */
  async function expectFullFilm(room: RecordedRoom, since: number): Promise<void> {
    const least = (Date.now() - since) / 1000;
    expect((await room.stop()).status).toBe(200);
    await room.reaches(['COMPLETED'], 60_000);
    const most = (Date.now() - since) / 1000;
    expect(await room.rows()).toMatchObject([{ reason: null }]);
    expect((await room.end()).status).toBe(200);
    const [file] = (await room.download()).body.data.files as { downloadUrl: string }[];
    const path = join(folder, `${room.roomId}.mp4`);
    await writeFile(path, Buffer.from(await (await fetch(file?.downloadUrl ?? '')).arrayBuffer()));
    const { duration } = await probe(path);
    expect(duration).toBeGreaterThan(least - TOLERANCE_S);
    expect(duration).toBeLessThan(most + TOLERANCE_S);
  }

  it('lets the old one record its class to the end, and the new one take the next', async () => {
    const [first, second] = [await open(), await open()];
    const firstSince = await filming(first);
    const old = stack.app('recorder');
    const home = join(stack.home, 'recorder-2');
    const replacement = stack.addProcess('recorder', { name: 'recorder-2', env: { RECORDER_HOME: home } });
    await replacement.start();
    const gone = old.stop();
    // The old recorder is draining and has closed its slots. Between the two it may still accept a class.
    await eventually(async () => expect(await metricSample(stack, 'recorder', 'classroom_recorder_slots')).toBe(0));
    const secondSince = await filming(second);
    expect(await readdir(home)).toEqual([(await second.rows())[0]?.egressId]);
    await sleep(3_000);
    expect(old.isRunning).toBe(true);
    await expectFullFilm(first, firstSince);
    expect(await gone).toMatchObject({ code: 0 });
    await expectFullFilm(second, secondSince);
    await expectRecordingInvariants(stack);
  });
});
