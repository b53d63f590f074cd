/** @lane real-time */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiClient,
  eventually,
  ffmpeg,
  newOrganization,
  PatternPerson,
  person,
  RecordedRoom,
  RtcParticipant,
  type RunningStack,
  sharedStack,
  sleep,
  stillOf,
} from '@classroom/testing';
import { sendDocument } from './send-document.js';

const CONSENT = { ask: 'join', without: 'hide', version: '1', text: 'May we film this class?' } as const;
/** Seconds until the film shows a change: the board's editor is loaded first, and other tests use the machine. */
const TURN = 4;
const SIZE = { width: 1280, height: 720 };

/** What each draws: a filled square of 160 on the sheet of 1280 × 720. */
const SQUARE = 160;
const COLORS = {
  early: [0, 150, 0],
  late: [200, 0, 200],
  refused: [0, 0, 255],
  unasked: [0, 190, 190],
  pointer: [224, 49, 49],
  slide: [250, 140, 0],
} as const satisfies Record<string, readonly [number, number, number]>;
type Shape = keyof typeof COLORS;
const PLACES = { early: [80, 80], late: [1_000, 480], refused: [560, 280], unasked: [80, 480] } as const;

const hexOf = (shape: Shape) => COLORS[shape].map((value) => value.toString(16).padStart(2, '0')).join('');

function square(shape: keyof typeof PLACES) {
  const color = `#${hexOf(shape)}`;
  const [x, y] = PLACES[shape];
  const looks = { strokeColor: color, backgroundColor: color, fillStyle: 'solid', strokeWidth: 1, roughness: 0, opacity: 100 };
  return { id: shape, type: 'rectangle', version: 1, versionNonce: 7, x, y, width: SQUARE, height: SQUARE, ...looks };
}

interface Found {
  pixels: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a picture has this color. */
function find(picture: Buffer, shape: Shape): Found | undefined {
  const at: [x: number, y: number][] = [];
  for (let index = 0; index < picture.length; index += 3)
    if (COLORS[shape].every((value, part) => Math.abs(value - (picture[index + part] ?? 0)) < 45))
      at.push([(index / 3) % SIZE.width, Math.floor(index / 3 / SIZE.width)]);
  if (at.length < 60) return undefined;
  const edge = (axis: 0 | 1, least: boolean) =>
    at.reduce((found, point) => (least ? Math.min(found, point[axis]) : Math.max(found, point[axis])), least ? Infinity : 0);
  const [x, y] = [edge(0, true), edge(1, true)];
  return { pixels: at.length, x, y, width: edge(0, false) - x, height: edge(1, false) - y };
}

/** From a stroke to its pixels in the film. LiveKit, Chromium and ffmpeg are real. */
describe('the film of a class with a board', () => {
  let stack: RunningStack;
  let api: ApiClient;
  let folder: string;
  const people: PatternPerson[] = [];

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
    // Set KEEP_FILMS to a folder to keep the film.
    folder = process.env['KEEP_FILMS'] ?? (await mkdtemp(join(tmpdir(), 'films-')));
  });
  afterAll(async () => {
    await Promise.all(people.map((one) => one.leave().catch(() => undefined)));
    await RtcParticipant.disposeAll();
    if (!process.env['KEEP_FILMS']) await rm(folder, { recursive: true, force: true });
  });

  /** A participant of the class by their join token. */
  async function participant(token: string) {
    const own = api.bearer(token);
    const { classroomToken, livekitToken } = (await own.post('/v1/classroom/session')).body.data;
    return { inClass: api.bearer(classroomToken), livekitToken: livekitToken as string, answer: answerOf(own) };
  }
  const answerOf = (own: ApiClient) => (granted: boolean) =>
    own.post('/v1/classroom/consent', { purpose: 'recording', version: '1', granted });
  const invite = async (roomId: string, uid: string, role: 'STUDENT' | 'TEACHER' = 'STUDENT') => {
    const invited = { ...person(uid, role), permissions: { draw: true } };
    const joined = await api.post(`/v1/room/${roomId}/join`, { participant: invited });
    return { join: () => participant(joined.body.data.token), answer: answerOf(api.bearer(joined.body.data.token)) };
  };

  /** A document of one page in one color. */
  async function slide(roomId: string): Promise<string> {
    const path = join(folder, 'slide.png');
    await ffmpeg(['-f', 'lavfi', '-i', `color=0x${hexOf('slide')}:s=1600x900`, '-frames:v', '1', path]);
    const file = await readFile(path);
    const about = { title: 'Slide', fileName: 'slide.png', contentType: 'image/png' };
    return sendDocument(api, `/v1/room/${roomId}/documents`, file, about);
  }

  it('shows each stroke and pointer at its place from the moment at which it is drawn, and nothing of who has not consented', async () => {
    let ada: Awaited<ReturnType<typeof participant>> | undefined;
    const room = await RecordedRoom.open(
      stack,
      api,
      async ({ token }) => {
        ada = await participant(token);
        people.push(await PatternPerson.connect(stack.urls.livekitPublic, ada.livekitToken, { color: [128, 128], hertz: 1_000 }));
      },
      { participant: person('ada', 'TEACHER'), settings: { consent: { recording: CONSENT } } },
    );
    if (!ada) throw new Error('no teacher is in class');
    const { inClass: teacher } = ada;
    const ben = await invite(room.roomId, 'ben');
    await ben.answer(false);
    const [inClass, cara] = [await ben.join(), await (await invite(room.roomId, 'cara')).join()];
    await RtcParticipant.connect(stack.urls.livekitPublic, inClass.livekitToken);

    const documentId = await slide(room.roomId);
    const { pageId } = (await teacher.post('/v1/classroom/board/pages', { template: 'grid' })).body.data;
    const draw = async (by: ApiClient, shape: keyof typeof PLACES) =>
      expect((await by.post('/v1/classroom/board', { pageId, elements: [square(shape)] })).body.data.refused).toEqual([]);
    // Before the recording: by the teacher, by who refused and is there, and by who was not asked and is not there.
    await draw(teacher, 'early');
    await draw(inClass.inClass, 'refused');
    await draw(cara.inClass, 'unasked');
    expect((await teacher.patch('/v1/classroom/board', { isShown: true })).status).toBe(200);

    await eventually(() => room.started({ layout: 'grid', preset: 'H264_720P_30' }), 60_000);
    const [{ startedAt } = { startedAt: '' }] = await room.reaches(['ACTIVE'], 60_000);
    const second = () => (Date.now() - Date.parse(startedAt)) / 1000;
    await sleep((TURN + 2) * 1000);
    const beforeLate = second();
    await draw(teacher, 'late');
    const afterLate = second();
    await sleep(TURN * 1000);
    for (let moment = 0; moment < 8; moment += 1) {
      await teacher.post('/v1/classroom/board/pointer', { pageId, x: 640 + moment, y: 120 });
      await sleep(500);
    }
    const pointed = second();
    await sleep(TURN * 1000);
    const beforeConsent = second();
    expect((await inClass.answer(true)).status).toBe(200);
    await sleep(TURN * 1000);
    const end = second();
    const added = await eventually(async () => {
      const { status, body } = await teacher.post('/v1/classroom/board/pages', { documentId });
      expect(status).toBe(200);
      return body.data;
    }, 60_000);
    await teacher.patch('/v1/classroom/board', { currentPageId: added.pageId });
    // Its picture is loaded first.
    await sleep(2 * TURN * 1000);
    const turned = second();
    await teacher.patch('/v1/classroom/board', { isShown: false });
    await sleep(TURN * 1000);
    const hidden = second();
    const dora = await invite(room.roomId, 'dora', 'TEACHER');
    await dora.answer(true);
    const screen = { color: [128, 128], hertz: 600, isScreen: true } as const;
    people.push(await PatternPerson.connect(stack.urls.livekitPublic, (await dora.join()).livekitToken, screen));
    await sleep(TURN * 1000);
    for (let moment = 0; moment < 8; moment += 1) {
      await teacher.post('/v1/classroom/board/pointer', { pageId: null, x: 0.5 + moment / 1_000, y: 0.25 });
      await sleep(500);
    }
    const pointedAtScreen = second();
    await sleep(1_500);
    expect((await room.end()).status).toBe(200);
    await room.reaches(['COMPLETED'], 60_000);

    const file = join(folder, 'board.mp4');
    const [film] = (await room.download()).body.data.files;
    await writeFile(file, Buffer.from(await (await fetch(film?.downloadUrl ?? '')).arrayBuffer()));
    const at = async (moment: number) => {
      const picture = await stillOf(file, moment);
      expect(picture).toHaveLength(SIZE.width * SIZE.height * 3);
      return Object.fromEntries(Object.keys(COLORS).map((shape) => [shape, find(picture, shape as Shape)])) as Record<Shape, Found>;
    };
    const shownAt = async (moment: number) => Object.entries(await at(moment)).flatMap(([shape, found]) => (found ? [shape] : []));

    expect(await shownAt(beforeLate - 0.3)).toEqual(['early']);
    expect(await shownAt(afterLate + TURN - 0.5)).toEqual(['early', 'late']);
    expect(await shownAt(pointed)).toEqual(['early', 'late', 'pointer']);
    expect(await shownAt(beforeConsent - 0.3)).toEqual(['early', 'late']);
    expect(await shownAt(end)).toEqual(['early', 'late', 'refused']);

    expect(await shownAt(turned)).toEqual(['slide']);
    expect(await shownAt(hidden)).toEqual([]);
    expect(await shownAt(pointedAtScreen)).toEqual(['pointer']);

    // The sheet is fitted, so that distances tell the scale and the places.
    const { early, late, refused } = await at(end);
    const scale = (late.x - early.x) / (PLACES.late[0] - PLACES.early[0]);
    expect(scale).toBeGreaterThan(0.5);
    for (const [found, [x, y]] of [
      [early, PLACES.early],
      [late, PLACES.late],
      [refused, PLACES.refused],
    ] as const) {
      const expected = [early.x + (x - PLACES.early[0]) * scale, early.y + (y - PLACES.early[1]) * scale, SQUARE * scale, SQUARE * scale];
      for (const [index, value] of [found.x, found.y, found.width, found.height].entries())
        expect(Math.abs(value - (expected[index] ?? 0))).toBeLessThan(6);
      expect(found.pixels).toBeGreaterThan(0.9 * found.width * found.height);
    }
    const { slide: sheet } = await at(turned);
    expect(Math.abs(sheet.width - SIZE.width * scale) + Math.abs(sheet.height - SIZE.height * scale)).toBeLessThan(12);
  });
});
