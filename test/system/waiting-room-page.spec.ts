/** @lane real-time */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, inLongForm } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { ClassScene } from './class-scene.js';

const UNPLUGGED = { isUnplugged: true };
/** Pictures are written to this folder, to look at, if it is set. */
const PICTURES = process.env['WAITING_ROOM_PICTURES'];

/** The waiting room on the class page: of those who wait, and of those who let them in. */
describe('the page of the waiting room', () => {
  let scene: ClassScene;

  beforeAll(async () => {
    scene = await ClassScene.start();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterEach(async () => expect(await scene.tidy()).toEqual([]));
  afterAll(() => scene?.stop());

  const open = async (roomId: string, uid: string, role: string, options: object = UNPLUGGED) =>
    scene.open((await scene.link(roomId, uid, role)).iframeUrl, options);
  const picture = async ({ page }: Awaited<ReturnType<typeof open>>, name: string) => {
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  };

  it('waits until a teacher lets the student in, also after a reload', async () => {
    const { roomId } = await scene.room({ settings: { waitingRoom: 'STUDENTS' } });
    const teacher = await open(roomId, 'teacher', 'TEACHER');
    await teacher.reaches('connected');
    const ada = await open(roomId, 'ada', 'STUDENT');
    await ada.page.waitForSelector('.waiting-room');
    await ada.shows('You are in the waiting room');
    expect(await violationsOf(ada.page, 'waiting room')).toEqual([]);
    expect(await ada.page.evaluate('window.probe.peers.length')).toBe(0);
    await picture(ada, 'waiting');
    await ada.page.reload();
    await ada.page.waitForSelector('.waiting-room');
    const bob = await open(roomId, 'bob', 'STUDENT', { ...UNPLUGGED, locale: 'de-DE', colorScheme: 'dark' });
    await bob.shows('Sie sind im Warteraum');
    await picture(bob, 'waiting-german-dark');
    await teacher.shows('2 people are in the waiting room');
    expect(await violationsOf(teacher.page, 'notice of the waiting room')).toEqual([]);
    await teacher.panel('people');
    await eventually(async () => expect(await teacher.count('[data-waiting]')).toBe(2));
    expect(await teacher.count('[data-action=notice-admit]')).toBe(0);
    expect(await violationsOf(teacher.page, 'list of the waiting room')).toEqual([]);
    await picture(teacher, 'list');
    await teacher.page.click('[data-waiting=ada] [data-action=admit]');
    await ada.reaches('connected');
    await teacher.page.click('[data-waiting=bob] [data-action=refuse]');
    await teacher.press('confirm-refuse');
    await bob.page.waitForSelector(':root[data-reason=not-admitted]');
    expect(await violationsOf(bob.page, 'card after a refusal')).toEqual([]);
    await picture(bob, 'refused-german-dark');
    await eventually(async () => expect(await teacher.count('.waiting-list')).toBe(0));
    // A reload in class does not lead to the waiting room again.
    await ada.page.reload();
    await ada.reaches('connected');
  });

  inLongForm(it)('lets all in with one button', async () => {
    const { roomId } = await scene.room({ settings: { waitingRoom: 'STUDENTS' } });
    const students = await Promise.all(['ada', 'bob'].map((uid) => open(roomId, uid, 'STUDENT')));
    const teacher = await open(roomId, 'teacher', 'TEACHER');
    await teacher.reaches('connected');
    await teacher.shows('2 people are in the waiting room');
    await teacher.press('notice-admit');
    for (const student of students) await student.reaches('connected');
  });
});
