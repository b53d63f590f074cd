/** @lane real-time */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, inLongForm } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { type ClassroomPage, CHROMIUM, type PageOptions } from './browser.js';
import { ClassScene } from './class-scene.js';
import { connected, EmbedScene, expectMessages } from './embed-scene.js';

/** Pictures are written to this folder, to look at, if it is set. */
const PICTURES = process.env['NOTIFICATION_PICTURES'];

/** A page in an automated browser is always visible: the script hides it. It also records notifications, requests for the permission, and sounds. */
const RECORDER = `
  const log = (window.log = { open: [], shown: [], requests: 0, sounds: 0 });
  let visibility = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => visibility });
  window.setVisibility = (state) => {
    visibility = state;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  window.Notification = class extends window.Notification {
    constructor(title, options) {
      super(title, options);
      if (Notification.permission !== 'granted') return;
      log.shown.push({ title, body: options.body, silent: options.silent });
      log.open = [...log.open.filter(({ tag }) => tag !== options.tag), this];
    }
    close() {
      super.close();
      log.open = log.open.filter((one) => one !== this);
    }
    static requestPermission() {
      log.requests += 1;
      return super.requestPermission();
    }
  };
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    if (this instanceof HTMLAudioElement && !this.isConnected) log.sounds += 1;
    return play.call(this);
  };
`;

interface Log {
  open: string[];
  shown: { title: string; body: string; silent: boolean }[];
  requests: number;
  sounds: number;
}

const logOf = ({ page }: Pick<ClassroomPage, 'page'>) =>
  page.evaluate<Log>('({ ...window.log, open: window.log.open.map(({ body }) => body) })');

/** Notifications of a page that the participant does not see. */
describe('notifications of the class page', () => {
  let scene: ClassScene;
  let roomId: string;

  beforeAll(async () => {
    scene = await ClassScene.start(undefined, [], CHROMIUM);
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterEach(async () => expect(await scene.tidy()).toEqual([]));
  afterAll(() => scene?.stop());

  const open = async (uid: string, role: string, { isGranted = false, ...options }: PageOptions & { isGranted?: boolean } = {}) => {
    const { iframeUrl } = await scene.link(roomId, uid, role);
    const permissions = isGranted ? ['notifications'] : [];
    return scene.open(iframeUrl, { isUnplugged: true, script: RECORDER, permissions, ...options });
  };
  const setVisibility = ({ page }: ClassroomPage, state: 'visible' | 'hidden') => page.evaluate(`window.setVisibility('${state}')`);
  const turnOn = async (page: ClassroomPage, where: string) => {
    await page.press('notifications');
    await page.page.setChecked('[data-action=notify]', true);
    await page.page.waitForSelector('[data-action=notify-sound]');
    expect(await violationsOf(page.page, where)).toEqual([]);
    if (PICTURES) await page.page.screenshot({ path: join(PICTURES, `${where}.png`) });
    const said = await page.page.innerText('dialog [role=status]');
    await page.press('notifications-done');
    return said;
  };

  it('tell a teacher of hands, messages and people who wait, without what was written, and close when the page is seen', async () => {
    ({ roomId } = await scene.room({ title: 'Geometry', settings: { waitingRoom: 'STUDENTS' } }));
    const teacher = await open('teacher', 'TEACHER', { isGranted: true });
    await teacher.reaches('connected');
    const ann = await open('ann', 'STUDENT');
    await ann.page.waitForSelector('.waiting-room');
    await teacher.panel('people');
    await teacher.page.click('[data-waiting=ann] [data-action=admit]');
    await ann.reaches('connected');
    await setVisibility(teacher, 'hidden');
    await ann.press('hand');
    await teacher.page.waitForSelector('[data-hand=ann]');
    expect([await teacher.page.title(), (await logOf(teacher)).shown]).toEqual(['Geometry', []]);
    await setVisibility(teacher, 'visible');
    await teacher.press('more');
    expect(await turnOn(teacher, 'teacher')).toBe('');
    await ann.press('hand');
    await eventually(async () => expect(await teacher.count('[data-hand]')).toBe(0));
    await setVisibility(teacher, 'hidden');
    await ann.press('hand');
    await eventually(async () => expect((await logOf(teacher)).open).toEqual(['Name of ann raised a hand']));
    await ann.panel('chat');
    for (const text of ['My secret', 'Another secret']) {
      await ann.page.fill('[data-action=chat-text]', text);
      await ann.page.keyboard.press('Enter');
    }
    await open('ben', 'STUDENT');
    await eventually(async () =>
      expect((await logOf(teacher)).open.sort()).toEqual([
        '2 chat messages',
        'Name of ann raised a hand',
        'Name of ben is in the waiting room',
      ]),
    );
    const { shown, sounds } = await logOf(teacher);
    expect(shown[0]).toEqual({ title: 'Geometry', body: 'Name of ann raised a hand', silent: false });
    expect([sounds, JSON.stringify(shown).includes('secret')]).toEqual([0, false]);
    expect(await teacher.page.title()).toBe('(4) Geometry');
    await setVisibility(teacher, 'visible');
    expect([(await logOf(teacher)).open, await teacher.page.title()]).toEqual([[], 'Geometry']);
  });

  inLongForm(it)(
    'are the title and a sound where the browser forbids them, for a student who waits, may speak and gets a message',
    async () => {
      ({ roomId } = await scene.room({ title: 'Geometry', settings: { waitingRoom: 'STUDENTS' } }));
      const teacher = await open('teacher', 'TEACHER');
      await teacher.reaches('connected');
      const ann = await open('ann', 'STUDENT', { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 390, height: 844 } });
      await ann.page.waitForSelector('.waiting-room');
      expect((await logOf(ann)).requests).toBe(0);
      expect(await turnOn(ann, 'student-german-dark-phone')).toMatch(/keine Benachrichtigungen.*Titel dieses Tabs.*Ton/);
      await setVisibility(ann, 'hidden');
      await teacher.panel('people');
      await teacher.page.click('[data-waiting=ann] [data-action=admit]');
      await eventually(async () => expect([await ann.page.title(), (await logOf(ann)).sounds]).toEqual(['(1) Geometry', 1]));
      await ann.reaches('connected');
      await teacher.chooseAction('ann', 'allowToSpeak');
      await eventually(async () => expect([await ann.page.title(), (await logOf(ann)).sounds]).toEqual(['(2) Geometry', 2]));
      await setVisibility(ann, 'visible');
      expect(await ann.page.title()).toBe('Geometry');
      await ann.press('more');
      await ann.press('notifications');
      await ann.page.setChecked('[data-action=notify-sound]', false);
      await ann.press('notifications-done');
      // The choice outlives the page.
      await ann.page.reload();
      await ann.reaches('connected');
      await setVisibility(ann, 'hidden');
      await teacher.panel('chat');
      await teacher.page.fill('[data-action=chat-text]', 'Open your books.');
      await teacher.page.keyboard.press('Enter');
      await eventually(async () => expect(await ann.page.title()).toBe('(1) Geometry'));
      expect((await logOf(ann)).sounds).toBe(0);
    },
  );

  inLongForm(it)('are counted for the page of the school around a class, which browsers let show none', async () => {
    const embed = await EmbedScene.start();
    try {
      const { roomId, iframeUrl } = await embed.room();
      const tab = await embed.open(embed.hosts.school, { prepare: async (context) => void (await context.addInitScript(RECORDER)) });
      await tab.showElement(iframeUrl);
      await connected(tab);
      const frame = tab.page.frameLocator('iframe');
      await frame.locator('[data-action=more]').click();
      await frame.locator('[data-action=notifications]').click();
      await frame.locator('[data-action=notify]').check();
      await eventually(async () =>
        expect(await frame.locator('dialog [role=status]').innerText()).toMatch(/a class inside another page.*your school’s page/),
      );
      await frame.locator('[data-action=notifications-done]').click();
      const inside = tab.classroom();
      expect(await inside?.evaluate('window.log.requests')).toBe(0);
      await inside?.evaluate(`window.setVisibility('hidden')`);
      const ann = await embed.bearerOf((await embed.join(roomId, 'ann', 'STUDENT')).token);
      await ann.post('/v1/classroom/hand', { raised: true });
      await expectMessages(tab, 'notification_count_changed', { count: 1 });
      await inside?.evaluate(`window.setVisibility('visible')`);
      await expectMessages(tab, 'notification_count_changed', { count: 1 }, { count: 0 });
    } finally {
      await embed.closeTabs();
      await embed.stop();
    }
  });
});
