/** @lane real-time */
import { eventually } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { drag, draw, enter, inkOf, look, shows, textsOf, write } from './board-page.js';
import { ClassScene } from './class-scene.js';

describe('the board of a class', () => {
  let scene: ClassScene;

  beforeAll(async () => {
    scene = await ClassScene.start();
  });
  afterEach(async () => expect(await scene.tidy()).toEqual([]));
  afterAll(() => scene?.stop());

  it('is shown by a teacher, drawn on by those whom they let, and the same for everyone', async () => {
    const { roomId } = await scene.room({ title: 'Geometry' });
    const join = enter(scene, roomId);
    const teacher = await join('teacher', 'TEACHER');
    const ann = await join('ann', 'STUDENT');
    expect(await ann.controls()).not.toContain('board');
    await teacher.press('board');
    await Promise.all([shows(teacher, 'draw'), shows(ann, 'view')]);
    await teacher.shows('Page 1 of 1');
    await draw(teacher, [
      [0.3, 0.3],
      [0.5, 0.6],
      [0.7, 0.3],
    ]);
    await eventually(async () => expect(await inkOf(ann)).toBeGreaterThan(100));
    expect(await violationsOf(teacher.page, 'teacher')).toEqual([]);
    expect(await violationsOf(ann.page, 'student who looks')).toEqual([]);
    await look(teacher, 'teacher');
    await look(ann, 'student-looks');

    // Who only looks moves the page, and draws nothing.
    await drag(ann, [
      [0.2, 0.2],
      [0.25, 0.25],
    ]);
    await ann.page.mouse.up();
    await ann.press('board-fit');

    await teacher.panel('people');
    await teacher.chooseAction('ann', 'letDraw');
    await teacher.panel();
    await shows(ann, 'draw');
    await ann.shows('You may draw on the board now');
    const before = await inkOf(teacher);
    await draw(
      ann,
      [
        [0.2, 0.7],
        [0.4, 0.8],
      ],
      'rectangle',
    );
    await eventually(async () => expect(await inkOf(teacher)).toBeGreaterThan(before + 100));
    await write(teacher, [0.4, 0.5], 'a² + b² = c²');
    await eventually(async () => expect(await textsOf(ann)).toEqual(['a² + b² = c²']));

    // Undo takes back only what one drew oneself.
    const withText = await inkOf(ann);
    await teacher.page.keyboard.press('Control+z');
    await eventually(async () => expect([await textsOf(ann), (await inkOf(ann)) < withText]).toEqual([[], true]));
    await teacher.page.keyboard.press('Control+Shift+z');
    await eventually(async () => expect(await textsOf(ann)).toEqual(['a² + b² = c²']));

    const ben = await join('ben', 'STUDENT');
    await shows(ben, 'view');
    await eventually(async () => expect(await textsOf(ben)).toEqual(['a² + b² = c²']));
    await ann.page.reload();
    await ann.reaches('connected');
    await shows(ann, 'draw');
    await eventually(async () => expect([await textsOf(ann), (await inkOf(ann)) > 500]).toEqual([['a² + b² = c²'], true]));
    expect(await violationsOf(ann.page, 'student who draws')).toEqual([]);
    await look(ann, 'student-draws');

    await teacher.panel('people');
    await teacher.chooseAction('ann', 'stopDrawing');
    await shows(ann, 'view');

    // Nothing comes from others.
    for (const { watch } of [teacher, ann, ben])
      expect([...watch.hosts].filter((host) => !/^127\.0\.0\.1|^localhost/.test(host))).toEqual([]);
  });

  it('has pages through which the teacher leads, and a pointer', async () => {
    const { roomId } = await scene.room({ title: 'Music' });
    const join = enter(scene, roomId);
    const teacher = await join('teacher', 'TEACHER');
    const ann = await join('ann', 'STUDENT', { colorScheme: 'dark', locale: 'de-DE', viewport: { width: 360, height: 740 } });
    await teacher.press('board');
    await shows(teacher, 'draw');
    await write(teacher, [0.4, 0.5], 'first');
    await teacher.press('board-add');
    await teacher.press('board-add-music');
    await Promise.all([teacher.shows('Page 2 of 2'), ann.shows('Seite 2 von 2')]);
    await ann.page.waitForSelector('.board-paper[data-template=music]');
    await draw(teacher, [
      [0.4, 0.4],
      [0.6, 0.5],
    ]);
    await eventually(async () => expect(await inkOf(ann)).toBeGreaterThan(20));
    expect(await violationsOf(ann.page, 'dark phone')).toEqual([]);
    await look(ann, 'phone-dark-german');

    // A student looks at another page, and comes back.
    await ann.press('board-previous');
    await eventually(async () => expect(await textsOf(ann)).toEqual(['first']));
    await teacher.shows('Page 2 of 2');
    await look(ann, 'phone-other-page');
    await ann.press('board-back');
    await ann.shows('Seite 2 von 2');
    await teacher.press('board-previous');
    await Promise.all([teacher.shows('Page 1 of 2'), ann.shows('Seite 1 von 2')]);

    await teacher.page.click('.board .App-toolbar__extra-tools-trigger');
    await look(teacher, 'more-tools');
    // Nothing that calls a service of others, or that a board does not have.
    expect(await teacher.page.locator('.dropdown-menu-item:visible').count()).toBe(1);
    await teacher.page.click('.board [data-testid=toolbar-laser]');
    await drag(teacher, [
      [0.4, 0.4],
      [0.5, 0.5],
      [0.6, 0.4],
    ]);
    await ann.page.waitForSelector('[data-board-pointer=teacher] bdi');
    await look(ann, 'phone-pointer');
    await teacher.page.mouse.up();
    await ann.page.waitForSelector('[data-board-pointer=teacher]', { state: 'detached' });

    await teacher.press('board-more');
    await teacher.press('board-clear');
    await teacher.press('board-confirm-clear');
    await eventually(async () => expect([await inkOf(teacher), await inkOf(ann)]).toEqual([0, 0]));
    await teacher.press('board-more');
    await teacher.press('board-delete');
    await look(teacher, 'delete-page');
    expect(await violationsOf(teacher.page, 'question')).toEqual([]);
    await teacher.press('board-confirm-delete');
    await Promise.all([teacher.shows('Page 1 of 1'), ann.shows('Seite 1 von 1')]);
    await teacher.panel('people');
    await teacher.chooseAction('ann', 'letDraw');
    await shows(ann, 'draw');
    await draw(ann, [
      [0.3, 0.5],
      [0.6, 0.6],
    ]);
    await eventually(async () => expect(await inkOf(teacher)).toBeGreaterThan(0));
    expect(await violationsOf(ann.page, 'phone that draws')).toEqual([]);
    await look(ann, 'phone-draws');
    await teacher.press('board');
    await ann.page.waitForSelector('.board', { state: 'detached' });
  });
});
