/** @lane real-time */
import { eventually, TestStack } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';
import { ask, ends, exchanges, LONG_SIDE } from './tutor-panel.js';

/** The apps that a class without recorder needs. */
const APPS = ['organization', 'room', 'gateway', 'billing', 'recording', 'ai'];
/** Time from LiveKit's readiness until both participants are back in class. */
const RECONNECT_MS = 20_000;

const STROKES = 6;
/** What a page shows of the board. */
const PICTURE = `document.querySelector('.board .excalidraw__canvas.static').toDataURL()`;

/** A stroke in a row of its own, below the notices. @param row from 0 to 1 */
async function drawStroke({ page }: ClassroomPage, row: number): Promise<void> {
  const box = await page.locator('.board-canvas').boundingBox();
  if (!box) throw new Error('no board is shown');
  const [y, left, right] = [box.y + box.height * (0.45 + 0.3 * row), box.x + box.width * 0.3, box.x + box.width * 0.7];
  await page.click('.board label:has([data-testid=toolbar-freedraw])');
  await page.mouse.move(left, y);
  await page.mouse.down();
  await page.mouse.move(right, y, { steps: 20 });
  await page.mouse.up();
}

describe('the class page during an outage', () => {
  let stack: TestStack;
  let scene: ClassScene;
  let room: Awaited<ReturnType<ClassScene['startClass']>>;

  beforeAll(async () => {
    stack = await TestStack.start({ apps: APPS });
    scene = await ClassScene.start(stack);
    room = await scene.startClass({ title: 'Geometry', roomDescription: 'The long side of a right triangle is called the hypotenuse.' });
  });

  afterEach(async () => expect(await scene.tidy()).toEqual([]));

  afterAll(async () => {
    await scene?.stop();
    await stack?.stop();
  });

  const pressIfVisible = async ({ page }: ClassroomPage, action: string) => {
    // The element may disappear at this moment.
    if (await page.isVisible(`[data-action="${action}"]`))
      await page.click(`[data-action="${action}"]`, { timeout: 1_000 }).catch(() => undefined);
  };

  const killed = ['was killed', () => stack.part('livekit').kill()] as const;
  const stopped = ['was stopped gracefully', () => stack.part('livekit').stop()] as const;
  it.each([killed, stopped])('of LiveKit, which %s, reconnects automatically', async (_, end) => {
    const { roomId, teacher, student } = room;
    await student.receivesMedia('teacher');
    for (const page of [teacher, student]) await page.page.evaluate('window.probe.states.length = 0');
    await end();
    await Promise.all([teacher.passes('reconnecting'), student.passes('reconnecting')]);
    await stack.part('livekit').start();
    const readyAt = Date.now();
    await eventually(async () => {
      expect([await teacher.state(), await student.state()]).toEqual(['connected', 'connected']);
      expect([await teacher.participants(), await student.participants()]).toEqual(['2', '2']);
      const { data } = (await scene.api.get(`/v1/room/${roomId}/status`)).body;
      expect(data).toMatchObject({ isActive: true, participantCount: 2, hasTeacher: true });
    }, RECONNECT_MS);
    await student.receivesMedia('teacher', readyAt + RECONNECT_MS - Date.now());
    for (const { watch } of [teacher, student]) watch.expect(/Failed to (load resource|fetch)|WebSocket connection|ERR_/);
  });

  it('of the room service restores hands, poll and chat after the restart', async () => {
    const { roomId, teacher, student } = room;
    const member = await scene.member(roomId, 'second', 'TEACHER');
    const question = { question: 'Still there?', options: ['Yes', 'No'] };
    const { pollId } = (await member.api.post('/v1/classroom/polls', question)).body.data;
    const page = await scene.enter(roomId, 'ann', 'STUDENT');
    await page.press('hand');
    await page.page.check('[data-option="0"]');
    await page.press('vote');
    await page.shows(/1 vote so far/);
    await stack.app('room').restart();
    await member.api.post('/v1/classroom/chat', { text: 'After the restart' });
    await page.reaches('connected', 30_000);
    await page.shows(/Still there\?[\s\S]*1 vote so far/);
    await eventually(async () => expect(await page.isOn('hand')).toBe('true'));
    await page.panel('chat');
    await page.shows('After the restart');
    expect((await member.api.post(`/v1/classroom/polls/${pollId}/close`)).body.data).toMatchObject({ totalVotes: 1, status: 'closed' });
    await page.press('hand');
    await member.rtc.leave();
    [page, student, teacher].forEach(({ watch }) => watch.expect(/Failed to (load resource|fetch)|WebSocket connection/));
  });

  it('of the room service, which is killed between strokes, keeps every stroke on the board once, and shows the same to everyone', async () => {
    const { roomId, token } = await scene.room({ title: 'Drawing' });
    const { classroomToken } = (await scene.api.bearer(token).post('/v1/classroom/session')).body.data;
    const shows = async (uid: string, role: string, mode: 'draw' | 'view') => {
      const page = await scene.enter(roomId, uid, role, { isUnplugged: true });
      if (uid === 'ann') await page.press('board');
      await page.page.waitForSelector(`.board[data-board=${mode}] .excalidraw__canvas.static`, { state: 'attached' });
      return page;
    };
    const drawers = [await shows('ann', 'TEACHER', 'draw'), await shows('ben', 'TEACHER', 'draw')];
    const early = await shows('early', 'STUDENT', 'view');
    for (let row = 0; row < STROKES; row++) {
      const killed = row % 2 === 1 ? stack.app('room').kill() : undefined;
      for (const [at, drawer] of drawers.entries()) await drawStroke(drawer, (2 * row + at) / (2 * STROKES));
      await killed;
      if (killed) await stack.app('room').start();
    }
    await eventually(async () => {
      const { elements } = (await scene.api.bearer(classroomToken).get('/v1/classroom/board')).body.data;
      const authors = elements.filter(({ element }) => !element.isDeleted).map(({ uid }) => uid);
      expect(authors.toSorted()).toEqual(['ann', 'ben'].flatMap((uid) => Array<string>(STROKES).fill(uid)));
    });
    const late = await shows('late', 'STUDENT', 'view');
    await eventually(async () => {
      const [one, other] = await Promise.all([early, late].map(({ page }) => page.evaluate<string>(PICTURE)));
      expect(one === other).toBe(true);
    });
    for (const { watch } of scene.pages) watch.expect(/Failed to (load resource|fetch)|ERR_|50[34]/);
  });

  it('of the AI service does not affect the rest of the page, whose tutor works again on retry', async () => {
    const { roomId, student } = room;
    const ai = stack.app('ai');
    await ai.stop();
    const [late, other] = [await scene.enter(roomId, 'late', 'STUDENT'), await scene.enter(roomId, 'second', 'TEACHER')];
    await late.panel('tutor');
    await late.shows('The tutor is not here right now', 30_000);
    await ask(late, LONG_SIDE);
    await ends(late, 'failed');
    expect(await violationsOf(late.page, 'away')).toEqual([]);
    await other.panel('tutor');
    await other.shows('The tutor can’t be reached right now', 30_000);
    await late.panel('chat');
    await late.page.fill('[data-action=chat-text]', 'The class continues');
    await late.page.keyboard.press('Enter');
    await student.panel('chat');
    await student.shows('The class continues');
    await ai.start();
    await late.panel('tutor');
    await eventually(async () => {
      await pressIfVisible(late, 'tutor-retry');
      expect(await exchanges(late)).toEqual(['done']);
    });
    // The page also retries by itself from time to time.
    await eventually(async () => {
      await pressIfVisible(other, 'tutor-reload');
      await eventually(async () => expect(await other.text()).toContain('No question is waiting'));
    });
    for (const { watch } of scene.pages) watch.expect(/50[34]/);
  });
});
