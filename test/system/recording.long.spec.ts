/** @lane real-time */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import {
  type ApiClient,
  beepsOf,
  byForm,
  expectRecordingInvariants,
  type Film,
  missingSeconds,
  newOrganization,
  type Pattern,
  PatternPerson,
  RecordedRoom,
  RtcParticipant,
  sleep,
  stillOf,
  TestStack,
  watchFilm,
} from '@classroom/testing';

const ADA: Pattern = { color: [170, 100], hertz: 1_000 };
const GRACE: Pattern = { color: [100, 170], hertz: 1_600 };
const LOGO_COLOR = [214, 0, 110] as const;
const LOGO = logoOf(220, 60);
/**
 * How much the length of a film may differ from the time of its capture, in seconds. In the short form other tests use the machine, and the
 * browser and the encoder start and stop later.
 */
const TOLERANCE_S = byForm({ short: 4, long: 2 });
/** Seconds until a page shows that a participant joined or left. */
const TURN = byForm({ short: 3, long: 2 });
/** Mean V of a picture with both participants is at least 127, with one and an empty tile 122, with one alone 104. */
const BOTH_IN_PICTURE = 124;

/** A PNG: a square of LOGO_COLOR at the left, and nothing at the right. */
function logoOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [data.length, crc32(body)].map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    });
    return Buffer.concat([size as Buffer, body, sum as Buffer]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each of red, green, blue and alpha.
  header.set([8, 6], 8);
  const row = [0, ...Array.from({ length: width }, (_, x) => (x < height ? [...LOGO_COLOR, 255] : [0, 0, 0, 0])).flat()];
  const pixels = deflateSync(Buffer.from(Array.from({ length: height }, () => row).flat()));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** The file name under which a browser saves the download. */
function savedAs({ headers }: Response): string | undefined {
  const disposition = headers.get('content-disposition') ?? '';
  const inUtf8 = /^attachment;.*filename\*=UTF-8''(.+)$/.exec(disposition)?.[1];
  return inUtf8 ? decodeURIComponent(inUtf8) : /^attachment; filename="(.+)"$/.exec(disposition)?.[1];
}

/** From the school's request to the file that it downloads. LiveKit, Chromium and ffmpeg are real. */
describe('a recording', () => {
  let stack: TestStack;
  let api: ApiClient;
  let folder: string;
  const people: PatternPerson[] = [];
  // Without CORS headers, as logos usually are.
  const logo = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(LOGO)).listen(0, '127.0.0.1');

  beforeAll(async () => {
    // Set KEEP_FILMS to a folder to keep the films.
    folder = process.env['KEEP_FILMS'] ?? (await mkdtemp(join(tmpdir(), 'films-')));
    await mkdir(folder, { recursive: true });
    stack = await TestStack.start({ apps: ['organization', 'room', 'gateway', 'billing', 'recording', 'recorder'] });
    const logoUrl = `http://127.0.0.1:${(logo.address() as AddressInfo).port}/logo.png`;
    ({ api } = await newOrganization(stack, { branding: { logoUrl } }));
  });
  afterEach(() => expectRecordingInvariants(stack));
  afterAll(async () => {
    await Promise.all(people.map((person) => person.leave().catch(() => undefined)));
    await RtcParticipant.disposeAll();
    await stack?.stop();
    logo.closeAllConnections();
    logo.close();
    if (!process.env['KEEP_FILMS']) await rm(folder, { recursive: true, force: true });
  });

  async function enter(token: string, pattern: Pattern): Promise<PatternPerson> {
    const person = await PatternPerson.connect(stack.urls.livekitPublic, token, pattern);
    people.push(person);
    return person;
  }
  const open = (overrides: object) =>
    RecordedRoom.open(stack, api, ({ token }) => enter(token, ADA), {
      participant: { uid: 'ada', name: 'Ada Lovelace', role: 'TEACHER' },
      ...overrides,
    });
  async function grace({ roomId }: RecordedRoom): Promise<PatternPerson> {
    const participant = { uid: 'grace', name: 'Grace Hopper', role: 'TEACHER' };
    return enter((await api.post(`/v1/room/${roomId}/join`, { participant })).body.data.token, GRACE);
  }

  /** Resolves with the time of its first frame, in milliseconds. */
  async function filming(room: RecordedRoom, before: string[] = []): Promise<number> {
    const list = await room.reaches([...before, 'ACTIVE'], 30_000);
    return Date.parse(list.at(-1)?.startedAt ?? '');
  }

  /** Downloads the files only through their links, as a school's backend does. */
  async function downloads(room: RecordedRoom, filename: RegExp): Promise<string[]> {
    const { files } = (await room.download()).body.data as { files: { filename: string; downloadUrl: string; size: number }[] };
    return Promise.all(
      files.map(async (file, index) => {
        expect(file.filename).toMatch(filename);
        const whole = await fetch(file.downloadUrl);
        expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
        expect(savedAs(whole)).toBe(file.filename);
        const content = Buffer.from(await whole.arrayBuffer());
        expect(content).toHaveLength(file.size);
        const part = await fetch(file.downloadUrl, { headers: { range: 'bytes=1000-1999' } });
        expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${file.size}`]);
        expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(1000, 2000))).toBe(true);
        const path = join(folder, `${room.roomId}-${index}.mp4`);
        await writeFile(path, content);
        return path;
      }),
    );
  }

  /** The file is as long as its capture, which ended between the request and the status. */
  function expectFilm(film: Film, height: number, { leastMs, mostMs }: { leastMs: number; mostMs: number }): void {
    expect(film.codecs).toEqual(['aac', 'h264']);
    expect(film.size).toEqual({ width: (height * 16) / 9, height });
    expect(film.duration).toBeGreaterThan(leastMs / 1000 - TOLERANCE_S);
    expect(film.duration).toBeLessThan(mostMs / 1000 + TOLERANCE_S);
  }

  /** Checks for a light plate with the logo at the upper right. */
  async function expectLogo(file: string, { size: { width, height } }: Film): Promise<void> {
    const picture = await stillOf(file, 4.6);
    const corner = Array.from({ length: height / 10 }, (_, y) => picture.subarray((y * width + width * 0.7) * 3, (y + 1) * width * 3));
    const pixels = corner.flatMap((row) => Array.from({ length: row.length / 3 }, (_, x) => row.subarray(x * 3, x * 3 + 3)));
    const near = (color: readonly number[]) =>
      pixels.filter((pixel) => color.every((value, i) => Math.abs(value - (pixel[i] ?? 0)) < 50)).length;
    expect(near(LOGO_COLOR)).toBeGreaterThan((height * 0.04) ** 2);
    expect(near([235, 235, 235])).toBeGreaterThan((height * 0.04) ** 2);
  }

  /**
   * The film has a participant's mark, a flash or a beep, in each second of this part. Other tests use the machine at the same time, and a
   * browser and an encoder then lose frames: one mark in three may be missing.
   */
  function expectMarks(moments: number[], from: number, to: number, isLeftOut = (_: number) => false): void {
    const missing = missingSeconds(moments, from, to).filter((at) => !isLeftOut(at)).length;
    expect(missing).toBeLessThanOrEqual(Math.max(1, Math.floor((to - from) / 3)));
  }
  const within = (moments: number[], from: number, to: number) => moments.filter((at) => at > from && at < to);

  it('contains the picture and the sound of all events, in two films of one class', async () => {
    const room = await open({ title: 'Größen: "Algebra" / 1' });
    const before = await grace(room);
    await room.started({ layout: 'grid', preset: 'H264_720P_30', showLogo: true });
    const gridAt = await filming(room);
    const since = (at: number) => (Date.now() - at) / 1000;
    await sleep(5_000 - (Date.now() - gridAt));
    const left = since(gridAt);
    await before.leave();
    await sleep(4_500);
    const coming = since(gridAt);
    await grace(room);
    const back = since(gridAt);
    await sleep(6_000);
    const leastGridMs = Date.now() - gridAt;
    expect((await room.stop()).status).toBe(200);
    await room.reaches(['COMPLETED'], 30_000);
    const gridMs = { leastMs: leastGridMs, mostMs: Date.now() - gridAt };

    await room.started({ layout: 'speaker', preset: 'H264_1080P_30', showLogo: true });
    const speakerAt = await filming(room, ['COMPLETED']);
    await sleep(7_000 - (Date.now() - speakerAt));
    const leastSpeakerMs = Date.now() - speakerAt;
    expect((await room.end()).body.data).toMatchObject({ wasRecording: true });
    await room.reaches(['COMPLETED', 'COMPLETED'], 30_000);
    const speakerMs = { leastMs: leastSpeakerMs, mostMs: Date.now() - speakerAt };

    const [gridFile = '', speakerFile = ''] = await downloads(room, /^Größen Algebra 1 \d{4}-\d\d-\d\d \d\d-\d\d\.mp4$/);
    const grid = await watchFilm(gridFile);
    expectFilm(grid, 720, gridMs);
    await expectLogo(gridFile, grid);
    // Excludes the last half second, because it may contain only part of a mark.
    const end = grid.duration - 0.5;
    const whileAlone = (at: number) => at > left - TURN && at < back + TURN;
    expectMarks(grid.flashes, 1, end, whileAlone);
    expectMarks(await beepsOf(gridFile, ADA.hertz), 1, end);
    const beeps = await beepsOf(gridFile, GRACE.hertz);
    expectMarks(beeps, 1, left - 0.5);
    expect(within(beeps, left + TURN, coming)).toEqual([]);
    expectMarks(beeps, back + TURN, end);
    // When Ada is alone, she fills the picture, which is then blue.
    const reds = (from: number, to: number) => grid.frames.filter(({ at }) => at > from && at < to).map(({ red }) => red);
    expect(Math.max(...reds(left + TURN, coming))).toBeLessThan(115);
    expect(Math.min(...reds(1, left - 0.5))).toBeGreaterThan(BOTH_IN_PICTURE);
    // Grace's tile is empty until the first frame of her camera, which takes longer on a busy machine.
    const seen = grid.frames.find(({ at, red }) => at > coming && red > BOTH_IN_PICTURE)?.at ?? Infinity;
    expect(seen).toBeLessThan(byForm({ short: end, long: back + TURN }));
    expect(Math.min(...reds(seen, end))).toBeGreaterThan(BOTH_IN_PICTURE);

    const speaker = await watchFilm(speakerFile);
    expectFilm(speaker, 1080, speakerMs);
    await expectLogo(speakerFile, speaker);
    const last = speaker.duration - 1;
    expectMarks(speaker.flashes, 1, last);
    for (const { hertz } of [ADA, GRACE]) expectMarks(await beepsOf(speakerFile, hertz), 1, last);
  });
});
