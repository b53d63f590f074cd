/** @lane real-time */
import { eventually, pdfOf } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import {
  choose,
  draw,
  drop,
  enter,
  greenOf,
  inkOf,
  look,
  openDocuments,
  paste,
  placeOf,
  pngOf,
  type Point,
  printedOf,
  shows,
  slideBoxOf,
  textsOf,
} from './board-page.js';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';
import { tabStopsOf } from './tab-stops.js';

/** A green picture. */
const PHOTO = pngOf(640, 480, [46, 125, 50]);

describe('documents on the board of a class', () => {
  let scene: ClassScene;

  beforeAll(async () => {
    scene = await ClassScene.start();
  });
  afterEach(async () => expect(await scene.tidy()).toEqual([]));
  afterAll(() => scene?.stop());

  it('has slides that a teacher uploads, with what is drawn over them, also for who joins later', async () => {
    const { roomId } = await scene.room({ title: 'Circles' });
    const join = enter(scene, roomId);
    const teacher = await join('teacher', 'TEACHER');
    const ann = await join('ann', 'STUDENT', { colorScheme: 'dark' });
    await teacher.press('board');
    await Promise.all([shows(teacher, 'draw'), shows(ann, 'view')]);
    await openDocuments(teacher);
    await teacher.shows('This class has no documents yet');
    expect(await violationsOf(teacher.page, 'no documents')).toEqual([]);
    await choose(teacher, 'Circles.pdf', pdfOf(['Every corner of a right triangle', 'touches the Thales circle']));
    await teacher.page.waitForSelector('[data-document=completed]');
    await Promise.all([teacher.shows('Page 2 of 3'), ann.shows('Page 2 of 3')]);
    await look(teacher, 'documents');
    expect(await violationsOf(teacher.page, 'documents')).toEqual([]);
    await teacher.press('documents-close');
    for (const one of [teacher, ann]) {
      await eventually(async () => expect(await printedOf(one)).toBeGreaterThan(50));
      await eventually(async () => expect(await textsOf(one)).toEqual(['Every corner of a right triangle']));
    }
    await eventually(async () =>
      expect(await ann.page.locator('[data-live]').allTextContents()).toContain(
        'Board, page 2 of 3, Circles: Every corner of a right triangle',
      ),
    );
    await draw(teacher, [
      [0.3, 0.4],
      [0.5, 0.7],
      [0.7, 0.4],
    ]);
    await eventually(async () => expect(await inkOf(ann)).toBeGreaterThan(100));
    await look(teacher, 'slide');
    await look(ann, 'slide-dark');
    expect(await violationsOf(teacher.page, 'slide')).toEqual([]);
    expect(await violationsOf(ann.page, 'slide in the dark')).toEqual([]);

    // It moves and grows with what is drawn.
    const before = await slideBoxOf(teacher);
    await teacher.page.mouse.move(...(await placeOf(teacher, [0.5, 0.5])));
    await teacher.page.mouse.wheel(100, 40);
    await eventually(async () => expect((await slideBoxOf(teacher))?.x).toBeCloseTo((before?.x ?? 0) - 100, 0));
    await teacher.press('board-fit');

    const ben = await join('ben', 'STUDENT', { viewport: { width: 360, height: 640 }, hasTouch: true, locale: 'de-DE' });
    await shows(ben, 'view');
    await eventually(async () => expect([(await printedOf(ben)) > 50, (await inkOf(ben)) > 20]).toEqual([true, true]));
    await look(ben, 'slide-phone');

    await teacher.press('board-next');
    await eventually(async () => expect(await textsOf(ann)).toEqual(['touches the Thales circle']));
    await eventually(async () => expect([(await printedOf(ann)) > 50, await inkOf(ann)]).toEqual([true, 0]));

    // Its pages stay without the slides.
    await openDocuments(teacher);
    await teacher.press('document-delete');
    await look(teacher, 'delete-document');
    await teacher.press('document-confirm-delete');
    await teacher.shows('This class has no documents yet');
    await teacher.press('documents-close');
    const late = await join('late', 'STUDENT');
    await late.shows('This slide can’t be shown right now');
    expect(await violationsOf(late.page, 'slide that was deleted')).toEqual([]);
    await look(late, 'slide-deleted');
    for (const { watch } of [teacher, ann, ben, late])
      expect([...watch.hosts].filter((host) => !/^127\.0\.0\.1|^localhost/.test(host))).toEqual([]);
    late.watch.expect(/404/);
  });

  it('says what is wrong with a file, continues an upload after a lost connection, and draws pictures', async () => {
    const { roomId } = await scene.room({ title: 'Circles' });
    const join = enter(scene, roomId);
    const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, locale: 'de-DE', colorScheme: 'dark' };
    const [teacher, ann] = [await join('teacher', 'TEACHER', phone), await join('ann', 'STUDENT')];
    await teacher.press('board');
    await Promise.all([shows(teacher, 'draw'), shows(ann, 'view')]);
    await openDocuments(teacher);
    await choose(teacher, 'secret.pdf', pdfOf(['x'], { isEncrypted: true }));
    await teacher.shows('Die Datei ist durch ein Passwort geschützt');
    await choose(teacher, 'notes.docx', Buffer.from('x'));
    await teacher.shows('Das ist keine PDF-');
    await look(teacher, 'documents-phone');
    expect(await violationsOf(teacher.page, 'documents on a phone')).toEqual([]);
    expect((await tabStopsOf(teacher.page)).filter(({ isReachable }) => !isReachable)).toEqual([]);
    await teacher.press('document-cancel');

    await teacher.page.route('**/uploads/*', (route) => route.abort());
    await choose(teacher, 'circles.pdf', pdfOf(['Circles']));
    await teacher.shows('Keine Verbindung');
    await teacher.press('documents-close');
    await teacher.page.waitForSelector('[data-action=board-files]');
    await look(teacher, 'upload-waits-phone');
    await teacher.page.unroute('**/uploads/*');
    teacher.watch.expect(/ERR_FAILED/);
    await Promise.all([teacher.shows('Seite 2 von 2'), ann.shows('Page 2 of 2')]);
    await eventually(async () => expect([(await printedOf(teacher)) > 20, (await printedOf(ann)) > 20]).toEqual([true, true]));
    await look(teacher, 'slide-phone-dark-german');
    expect(await violationsOf(teacher.page, 'slide on a dark phone')).toEqual([]);
    // The editor's own tools are pressed by their labels.
    const stops = (await tabStopsOf(teacher.page)).filter(({ name }) => name.startsWith('board-'));
    expect(stops.map(({ name, isReachable }) => [name, isReachable]).sort()).toEqual(
      ['board-add', 'board-fit', 'board-more', 'board-previous'].map((name) => [name, true]),
    );

    await drop(teacher, 'photo.png', 'image/png', PHOTO);
    await eventually(async () => expect(await greenOf(ann)).toBeGreaterThan(50_000), 60_000);
    await eventually(async () => expect(await greenOf(teacher)).toBeGreaterThan(5_000));
    await eventually(async () => expect(await textsOf(ann)).toEqual(['Circles', 'Picture: photo']));
    await look(teacher, 'picture-phone-dark');
    await look(ann, 'picture');
    const ben = await join('ben', 'STUDENT');
    await eventually(async () => expect(await greenOf(ben)).toBeGreaterThan(50_000));
    await paste(teacher, 'copied.png', 'image/png', PHOTO);
    await eventually(async () => expect(await textsOf(ann)).toEqual(['Circles', 'Picture: photo', 'Picture: copied']), 60_000);
    // A student's files stay where they are.
    await drop(ann, 'photo.png', 'image/png', PHOTO);
    expect(await ann.count('[data-action=board-files]')).toBe(0);
  });

  it('lets those who draw point at the shared screen, by mouse and keyboard', async () => {
    const { roomId } = await scene.room({ title: 'Circles' });
    const join = enter(scene, roomId);
    const teacher = await join('teacher', 'TEACHER');
    const ann = await join('ann', 'STUDENT', { viewport: { width: 900, height: 700 } });
    await teacher.press('share');
    const screen = '.tile[data-kind=screen]';
    await eventually(
      async () => expect(await ann.page.evaluate(`document.querySelector('${screen} video')?.videoWidth > 0`)).toBe(true),
      30_000,
    );
    expect(await ann.count('[data-action=point-at-screen]')).toBe(0);
    await teacher.panel('people');
    await teacher.chooseAction('ann', 'letDraw');
    await teacher.panel();
    await ann.page.click('[data-action=point-at-screen]');
    expect(await violationsOf(ann.page, 'pointing at the screen')).toEqual([]);

    /** A point of the picture, whatever is around it. */
    const placeOn = ({ page }: ClassroomPage, [x, y]: Point) =>
      page.evaluate<[number, number]>(`(() => {
        const video = document.querySelector('${screen} video');
        const box = video.getBoundingClientRect();
        const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight);
        const [width, height] = [video.videoWidth * scale, video.videoHeight * scale];
        return [box.left + (box.width - width) / 2 + ${x} * width, box.top + (box.height - height) / 2 + ${y} * height];
      })()`);
    const pointerOn = ({ page }: ClassroomPage, uid: string) =>
      page.evaluate<[number, number]>(`(() => {
        const { left, top } = document.querySelector('${screen} [data-board-pointer=${uid}]').getBoundingClientRect();
        return [left, top];
      })()`);
    const isAt = async (point: Point) => {
      await teacher.page.waitForSelector(`${screen} [data-board-pointer=ann]`, { state: 'attached' });
      const [wanted, shown] = [await placeOn(teacher, point), await pointerOn(teacher, 'ann')];
      return Math.hypot(wanted[0] - shown[0], wanted[1] - shown[1]) < 3;
    };
    await ann.page.mouse.move(...(await placeOn(ann, [0.1, 0.1])));
    // A pointer that stands still fades: the mouse trembles.
    await eventually(async () => {
      await ann.page.mouse.move(...(await placeOn(ann, [0.25, 0.2])));
      await ann.page.mouse.move(...(await placeOn(ann, [0.25, 0.7])));
      expect(await isAt([0.25, 0.7])).toBe(true);
    });
    await look(teacher, 'screen-pointer');
    await look(ann, 'screen-pointing');
    await teacher.page.waitForSelector(`${screen} [data-board-pointer=ann]`, { state: 'detached' });

    // From there, with keys.
    await ann.page.locator('.screen-pointing').focus();
    await eventually(async () => {
      await ann.page.keyboard.press('Shift+ArrowRight');
      await ann.page.keyboard.press('Shift+ArrowLeft');
      expect(await isAt([0.25, 0.7])).toBe(true);
    });
    await ann.page.keyboard.press('Escape');
    expect([await ann.count('.screen-pointing'), await ann.page.evaluate('document.activeElement.dataset.action')]).toEqual([
      0,
      'point-at-screen',
    ]);
    await teacher.press('stop-share');
  });
});
