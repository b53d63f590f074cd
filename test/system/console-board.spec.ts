import { readFile } from 'node:fs/promises';
import { enterWithToken, eventually, newOrganization, newRoom, person, RtcParticipant } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { ConsoleScene, shows, violationsInThemes } from './console-scene.js';

/** A mark in the middle of the sheet. An image runs no script of it, and its text is shown as it is. */
const WORDS = '</text><script>document.title = "run"</script>';
const box = { x: 590, y: 330, width: 100, height: 60, version: 1, versionNonce: 7 };
const DRAWN = [
  { id: 'a', type: 'rectangle', ...box, backgroundColor: '#ff0000' },
  { id: 'b', type: 'text', ...box, text: WORDS, fontSize: 20 },
];

describe('the board of a class in the console', () => {
  let scene: ConsoleScene;
  let organizationId: string;
  let roomId: string;
  let emptyId: string;

  beforeAll(async () => {
    scene = await ConsoleScene.start();
    const school = await newOrganization(scene.stack, { name: 'Lakeside' });
    ({ organizationId } = school);
    ({ roomId } = await newRoom(school.api, { title: 'Geometry' }));
    ({ roomId: emptyId } = await newRoom(school.api, { title: 'Algebra' }));
    for (const id of [roomId, emptyId]) {
      const { token } = (await school.api.post(`/v1/room/${id}/join`, { participant: person('sofia', 'TEACHER') })).body.data;
      const { rtc, inClass } = await enterWithToken(scene.stack, school.api, token);
      // A class that is not known to have begun has no board in the console.
      await eventually(async () => expect((await school.api.get(`/v1/room/${id}`)).body.data.startedAt).not.toBeNull());
      if (id === roomId) {
        const { pageId } = (await inClass.post('/v1/classroom/board/pages', {})).body.data;
        expect((await inClass.post('/v1/classroom/board', { pageId, elements: DRAWN })).body.data).toMatchObject({ refused: [] });
        expect((await inClass.post('/v1/classroom/board/pages', { template: 'grid' })).status).toBe(200);
      }
      await rtc.leave();
      await school.api.delete(`/v1/room/${id}`);
    }
  });
  afterEach(() => scene.closePages());
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await scene?.stop();
  });

  it('is shown on demand, page by page with the keyboard, and saved as PDF and PNG', async () => {
    const { page, watch } = await scene.open(await scene.linkFor(organizationId, 'MEMBER'));
    // The link is used before another page is opened.
    await page.waitForFunction(`sessionStorage.getItem('console-token') !== null`);
    await page.goto(scene.address(`rooms/${roomId}`));
    await page.focus('[data-action=show-board]');
    await page.keyboard.press('Enter');
    const picture = page.locator('img.board-page');
    await picture.waitFor();
    expect(await picture.getAttribute('alt')).toBe(`Page 1 of 2. ${WORDS}`);
    await eventually(async () => expect(await page.evaluate(`document.querySelector('img.board-page').naturalWidth`)).toBeGreaterThan(100));
    expect(await page.title()).not.toBe('run');
    const [pdf] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=board-pdf]')]);
    expect([pdf.suggestedFilename(), (await readFile(await pdf.path())).subarray(0, 5).toString()]).toEqual([
      `${roomId}-board.pdf`,
      '%PDF-',
    ]);
    const [png] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=board-png]')]);
    expect([png.suggestedFilename(), (await readFile(await png.path())).subarray(1, 4).toString()]).toEqual([`${roomId}-board.png`, 'PNG']);
    await page.focus('[data-action=board-next]');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await picture.getAttribute('alt')).toBe('Page 2 of 2'));
    expect(await page.isDisabled('[data-action=board-next]')).toBe(true);
    expect(await violationsInThemes(page, 'the board')).toEqual([]);
    expect(watch.problems).toEqual([]);
  });

  it('says in German that there is none', async () => {
    const { page } = await scene.open(await scene.linkFor(organizationId, 'OWNER'), { locale: 'de-DE' });
    // The link is used before another page is opened.
    await page.waitForFunction(`sessionStorage.getItem('console-token') !== null`);
    await page.goto(scene.address(`rooms/${emptyId}`));
    await page.click('[data-action=show-board]');
    await shows(page, 'In dieser Unterrichtsstunde war nichts auf der Tafel');
    expect(await violationsOf(page, 'no board')).toEqual([]);
  });
});
