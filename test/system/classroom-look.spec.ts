/** @lane real-time */
import { randomUUID } from 'node:crypto';
import { recordingActive, recordingEnding } from '@classroom/contracts';
import { byForm, eventually, inLongForm, newOrganization, publishFact } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import type { ClassroomPage } from './browser.js';
import { ClassScene, DESKTOP } from './class-scene.js';
import { tabStopsOf } from './tab-stops.js';

/** Appearance and accessibility of the class page: views, themes, keyboard, axe, and which hosts it loads files from. */
describe('the look of the class page', () => {
  let scene: ClassScene;
  let roomId: string;
  let sid: string;
  let teacher: ClassroomPage;
  let student: ClassroomPage;

  beforeAll(async () => {
    scene = await ClassScene.start();
    ({ roomId, sid, teacher, student } = await scene.startClass({ title: 'Geometry' }));
  });

  afterEach(async () => expect(await scene.tidy()).toEqual([]));

  afterAll(() => scene?.stop());

  it('is loaded only from our server, in less than 300 kB of scripts and styles', async () => {
    const files = Object.entries(await student.watch.downloads()).filter(([path]) => !path.startsWith('/v1/'));
    expect(files.map(([path]) => path)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/r\//), expect.stringMatching(/\.js$/), expect.stringMatching(/\.css$/)]),
    );
    // Of scripts and styles: which of the fonts are needed depends on the names in class.
    const sum = files.filter(([path]) => !path.endsWith('.woff2')).reduce((total, [, size]) => total + size, 0);
    expect({ files: sum < 300_000 ? {} : Object.fromEntries(files), sum }).toEqual({ files: {}, sum: expect.any(Number) });
    const ours = [scene.stack.urls.gateway, scene.stack.urls.livekitPublic].map((url) => new URL(url).host);
    for (const { watch } of [teacher, student]) expect([...watch.hosts].sort()).toEqual(ours.sort());
  });

  it('shows a shared screen as the stage, uncropped, and the grid or the speaker otherwise', async () => {
    // A teacher who is the only one to be seen sees who listens; a student sees them next to the stage.
    await eventually(async () =>
      expect([await teacher.count('.tile[data-uid=student]'), await student.count('[data-listener=student]')]).toEqual([1, 1]),
    );
    const stage = (page: ClassroomPage) => page.page.getAttribute('.stage', 'data-layout');
    expect(await stage(student)).toBe('grid');
    await student.press('layout');
    expect(await stage(student)).toBe('focus');
    await student.press('layout');
    expect(await stage(student)).toBe('grid');
    // Whom a teacher shows to everyone is large on every page, also without a picture.
    const spotlight = async (shown: boolean) => {
      await teacher.page.hover('.tile[data-uid=student]');
      await teacher.page.click('.tile[data-uid=student] .tile-menu > button');
      await teacher.page.click('.tile[data-uid=student] [data-action=spotlight]');
      for (const page of [teacher, student]) await eventually(async () => expect(await stage(page)).toBe(shown ? 'focus' : 'grid'));
    };
    await spotlight(true);
    const largest = `[...document.querySelectorAll('.tile')].sort((a, b) => b.clientWidth - a.clientWidth)[0].dataset.uid`;
    expect([await teacher.page.evaluate(largest), await student.page.evaluate(largest)]).toEqual(['student', 'student']);
    await spotlight(false);

    const places = () =>
      teacher.page.evaluate(
        `[...document.querySelectorAll('.bar .control')].map((one) => [one.dataset.action, one.getBoundingClientRect().left])`,
      );
    const before = await places();
    await teacher.press('share');
    const screen = '.tile[data-kind=screen] video';
    await eventually(
      async () =>
        expect(
          await student.page
            .locator(screen)
            .evaluateAll((videos) => videos.map((video) => 'videoWidth' in video && Number(video.videoWidth) > 0)),
        ).toEqual([true]),
      15_000,
    );
    const shown = await student.page.evaluate<{ fit: string; share: number; first: string }>(`(() => {
      const [video, stage] = [document.querySelector('${screen}'), document.querySelector('.stage-ground')];
      const area = (element) => element.clientWidth * element.clientHeight;
      return { fit: getComputedStyle(video).objectFit, share: area(video) / area(stage), first: document.querySelector('.tile[data-kind=camera]').dataset.uid };
    })()`);
    expect(shown).toMatchObject({ fit: 'contain', first: 'teacher' });
    expect(shown.share).toBeGreaterThan(0.6);
    await eventually(async () => expect(await student.page.getAttribute('[data-action=layout]', 'aria-disabled')).toBe('true'));
    expect(await places()).toEqual(before);
    await teacher.press('stop-share');
    await eventually(async () => expect(await student.count(screen)).toBe(0));
    // The usual frame of a learning platform.
    await teacher.page.setViewportSize({ width: 1000, height: 700 });
    await eventually(async () => expect(await teacher.controls()).not.toContain('layout'));
    expect(await teacher.controls()).toEqual(
      expect.arrayContaining(['microphone', 'camera', 'share', 'record', 'people', 'chat', 'polls']),
    );
    expect(
      await teacher.page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.bar'))`),
    ).toBe(0);
    await teacher.page.setViewportSize(DESKTOP);
    await eventually(async () => expect(await places()).toEqual(before));
  });

  const smallest = ['the smallest phone', { width: 320, height: 568 }] as const;
  const others = [
    ['a phone held upright', { width: 390, height: 844 }],
    ['a phone held sideways', { width: 844, height: 390 }],
  ] as const;
  it.each(byForm({ short: [smallest], long: [...others, smallest] }))(
    'keeps the picture complete and every control reachable while a panel is open, on %s',
    async (_, viewport) => {
      for (const page of [teacher, student]) {
        await page.page.setViewportSize(viewport);
        await page.panel('chat');
        // Its notice takes a third of the height.
        if ((await page.count('[data-action=sound]')) > 0) await page.press('sound');
        const stops = await tabStopsOf(page.page);
        expect(stops.filter(({ isReachable }) => !isReachable)).toEqual([]);
        expect(stops.map(({ name }) => name)).toEqual(
          expect.arrayContaining(page === teacher ? ['microphone', 'camera', 'leave-menu'] : ['hand', 'leave']),
        );
        const measured = () =>
          page.page.evaluate<{ isWhole: boolean; ratio: number; share: number }>(`(() => {
        const tile = document.querySelector('.tile[data-uid=teacher]');
        // A teacher's stage has the student as well: the share is of both, wherever they are.
        const boxes = [...document.querySelectorAll('.tile')].map((one) => one.getBoundingClientRect());
        const shown = Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left));
        const { left, top, right, bottom, width, height } = tile.getBoundingClientRect();
        const edges = [[left + 2, top + height / 2], [right - 2, top + height / 2], [left + width / 2, top + 2], [left + width / 2, bottom - 2]];
        return { isWhole: edges.every(([x, y]) => document.elementFromPoint(x, y)?.closest('.tile') === tile), ratio: width / height, share: shown / innerWidth };
      })()`);
        // A notice of who has joined lies on it for some seconds.
        await eventually(async () => {
          const shown = await measured();
          expect([shown.isWhole, shown.ratio > 1.3, shown.ratio < 1.8, shown.share > 0.5]).toEqual([true, true, true, true]);
        });
        await page.panel();
        await page.page.setViewportSize(DESKTOP);
      }
    },
  );

  inLongForm(it).each([
    ['at 400 % zoom', { width: 320, height: 256 }],
    ['on a small phone held sideways', { width: 568, height: 320 }],
    ['above the keyboard of a phone', { width: 375, height: 330 }],
  ])('lets each panel be read and used %s, also with pages of tiles', async (_, viewport) => {
    const { iframeUrl, roomId: crowded } = await scene.room();
    const page = await scene.open(iframeUrl, { isUnplugged: true });
    await page.reaches('connected');
    for (let i = 0; i < 5; i += 1) await scene.member(crowded, `teacher-${i}`, 'TEACHER');
    await page.panel('people');
    await page.page.setViewportSize(viewport);
    await eventually(async () => expect(await page.participants()).toBe('6'));
    const found: object[] = [];
    for (const tab of ['people', 'chat', 'polls', 'tutor'] as const) {
      await page.page.click(`[data-tab=${tab}]`);
      if (tab === 'polls') await page.press('new-poll');
      const stops = await tabStopsOf(page.page);
      found.push(...stops.filter(({ isReachable }) => !isReachable).map((stop) => ({ tab, ...stop })));
      const heights = await page.page.evaluate<number[]>(
        `[...document.querySelectorAll('.chat-scroll, .windowed, .poll-form')].map(({ clientHeight }) => clientHeight)`,
      );
      for (const height of heights) if (height < 90) found.push({ tab, height });
    }
    expect(found).toEqual([]);
  });

  it('keeps an open menu at its button when the window narrows, or closes it with the button', async () => {
    const gap = () =>
      teacher.page.evaluate<number>(`(() => {
        const [menu, button] = [document.querySelector(':popover-open'), document.querySelector('[data-action=leave-menu]')].map((one) => one.getBoundingClientRect());
        return Math.abs(Math.min(innerWidth - 8, button.left + button.width / 2 + menu.width / 2) - menu.right) + Math.abs(button.top - 8 - menu.bottom);
      })()`);
    await teacher.press('leave-menu');
    for (const viewport of [
      { width: 700, height: 500 },
      { width: 1100, height: 600 },
    ]) {
      await teacher.page.setViewportSize(viewport);
      await eventually(async () => expect(await gap()).toBeLessThan(2));
    }
    await teacher.page.keyboard.press('Escape');
    await teacher.page.setViewportSize(DESKTOP);
    await teacher.page.click('[data-action=microphone] + .control-extra');
    await teacher.page.setViewportSize({ width: 400, height: 600 });
    await eventually(async () => expect(await teacher.count(':popover-open')).toBe(0));
    await teacher.page.setViewportSize(DESKTOP);
  });

  inLongForm(it)('fits into its frame: no view scrolls the page, whose scrollbar would cover its edge', async () => {
    const { iframeUrl } = await scene.room({ title: 'Geometry', customization: { showLobby: true } });
    const page = await scene.open(iframeUrl, { isUnplugged: true });
    const [found, whole]: [object[], object[]] = [[], []];
    const look = async (view: string, menu?: string) => {
      for (const frame of [{ width: 1000, height: 700 }, { width: 390, height: 844 }, DESKTOP]) {
        await page.page.setViewportSize(frame);
        if (menu) await page.press(menu);
        const shown = await page.page.evaluate<Record<string, number>>(`new Promise((done) => {
          const measure = () => {
            const { clientWidth, clientHeight, scrollWidth, scrollHeight } = document.documentElement;
            const rights = [...document.querySelectorAll(':popover-open')].map((menu) => menu.getBoundingClientRect().right);
            done({ clientWidth, clientHeight, scrollWidth: Math.max(scrollWidth, ...rights), scrollHeight });
          };
          requestAnimationFrame(() => requestAnimationFrame(measure));
        })`);
        if (menu) await page.page.keyboard.press('Escape');
        const { width, height } = frame;
        found.push({ view, ...shown });
        whole.push({ view, clientWidth: width, clientHeight: height, scrollWidth: width, scrollHeight: height });
      }
    };
    const scrollbar = `(() => {
      const box = document.body.appendChild(document.createElement('div'));
      Object.assign(box.style, { position: 'fixed', overflow: 'scroll' });
      const width = box.offsetWidth - box.clientWidth;
      box.remove();
      return width;
    })()`;
    expect(await page.page.evaluate(scrollbar)).toBeGreaterThan(0);

    await page.page.waitForSelector('[data-action=join]');
    await look('lobby');
    await page.join();
    await look('class');
    for (const tab of ['people', 'chat', 'polls', 'tutor'] as const) {
      await page.panel(tab);
      await look(tab);
    }
    await page.panel('polls');
    await page.press('new-poll');
    await page.page.fill('[data-action=poll-question]', 'Ready?');
    await page.page.fill('[aria-label="Answer 1"]', 'Yes');
    await page.page.fill('[aria-label="Answer 2"]', 'No');
    await look('new poll');
    await page.press('start-poll');
    await page.page.waitForSelector('[data-action=close-poll]');
    await look('poll');
    await page.panel();
    await page.page.waitForSelector('.poll-card');
    await look('poll card');
    await page.press('more');
    await page.press('shortcuts');
    await page.page.waitForSelector('dialog');
    await look('shortcuts');
    await page.page.keyboard.press('Escape');
    await look('menu', 'leave-menu');
    await page.press('leave-menu');
    await page.press('end');
    await page.page.waitForSelector('[data-action=confirm-end]');
    await look('question');
    await page.press('confirm-end');
    await page.reaches('ended');
    await look('outcome');
    expect(found).toEqual(whole);
    page.watch.expect(/410 \(Gone\)|data ?channel/i);
  });

  it('has keyboard shortcuts for the controls, which do nothing while the user types', async () => {
    const isOn = (control: string) => teacher.isOn(control);
    for (const [key, control] of [
      ['m', 'microphone'],
      ['v', 'camera'],
      ['h', 'hand'],
      ['c', 'chat'],
      ['p', 'people'],
    ] as const) {
      await teacher.page.evaluate('document.activeElement.blur()');
      const before = await isOn(control);
      await teacher.page.keyboard.press(key);
      await eventually(async () => expect([control, await isOn(control)]).toEqual([control, before === 'true' ? 'false' : 'true']));
      await teacher.page.evaluate('document.activeElement.blur()');
      await teacher.page.keyboard.press(key);
      await eventually(async () => expect([control, await isOn(control)]).toEqual([control, before]));
    }
    await teacher.page.evaluate('document.activeElement.blur()');
    await teacher.page.keyboard.press('?');
    await teacher.shows('Keyboard shortcuts');
    await teacher.page.keyboard.press('m');
    await teacher.page.keyboard.press('Escape');
    await teacher.panel('chat');
    await teacher.page.fill('[data-action=chat-text]', '');
    await teacher.page.type('[data-action=chat-text]', 'mvhp');
    expect([await isOn('microphone'), await isOn('camera'), await isOn('hand'), await isOn('people')]).toEqual([
      'true',
      'true',
      'false',
      'false',
    ]);
    await teacher.page.fill('[data-action=chat-text]', '');
    await teacher.press('chat');
  });

  inLongForm(it)('ignores letters once the shortcuts are turned off, also after a reload', async () => {
    const choose = async (isOn: boolean) => {
      await student.press('more');
      await student.press('shortcuts');
      await student.page.setChecked('[data-action=use-shortcuts]', isOn);
      await student.page.keyboard.press('Escape');
    };
    const type = async () => {
      await student.page.evaluate('document.activeElement.blur()');
      await student.page.keyboard.press('c');
      await student.page.keyboard.press('?');
    };
    await student.panel();
    await choose(false);
    await type();
    expect(await student.page.getAttribute('[data-action=chat]', 'aria-keyshortcuts')).toBeNull();
    await student.page.reload();
    await student.reaches('connected');
    await type();
    expect(await student.count('dialog')).toBe(0);
    await choose(true);
    await eventually(async () => expect(await student.count('dialog')).toBe(0));
    expect(await student.isOn('chat')).toBe('false');
    await student.page.keyboard.press('c');
    await eventually(async () => expect(await student.isOn('chat')).toBe('true'));
    await student.panel();
  });

  inLongForm(it)('lets an ADMIN change the room for everyone, and a second teacher end the class for everyone', async () => {
    const { roomId, iframeUrl } = await scene.room({ title: 'Before' });
    const first = await scene.open(iframeUrl, { isUnplugged: true });
    const admin = await scene.enter(roomId, 'boss', 'ADMIN', { isUnplugged: true });
    const second = await scene.enter(roomId, 'second', 'TEACHER', { isUnplugged: true });
    await first.reaches('connected');
    await admin.press('more');
    await admin.press('settings');
    await admin.page.fill('[name=title]', 'After');
    const wrong = await violationsOf(admin.page, 'room settings');
    await admin.press('save-room');
    for (const page of [first, second, admin])
      await eventually(async () => expect(await page.page.innerText('.header-title')).toBe('After'));
    await second.press('leave-menu');
    await second.press('end');
    await second.shows('2 other people are here');
    wrong.push(...(await violationsOf(second.page, 'the end')));
    await second.press('confirm-end');
    for (const page of [first, second, admin]) {
      await page.reaches('ended');
      await page.shows(page === second ? /You ended it for everyone after .* 3 people were here/ : 'The teacher ended it for everyone');
    }
    expect([...wrong, ...(await violationsOf(first.page, 'outcome'))]).toEqual([]);
    [first, second, admin].forEach(({ watch }) => watch.expect(/410 \(Gone\)|data ?channel/i));
  });

  it('has the room’s theme and the organization’s color, changed until it is readable', async () => {
    const { api } = await newOrganization(scene.stack, { branding: { accentColor: '#ffee88' } });
    const look = (page: ClassroomPage) =>
      page.page.evaluate<[string, number, number]>(`(() => {
        const style = getComputedStyle(document.querySelector('[data-action=join]'));
        const luminance = (css) => css.match(/[\\d.]+/g).slice(0, 3).map((value) => value / 255)
          .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
          .reduce((sum, share, i) => sum + share * [0.2126, 0.7152, 0.0722][i], 0);
        const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const [ground, accent, on] = [getComputedStyle(document.body).backgroundColor, style.backgroundColor, style.color].map(luminance);
        return [ground > 0.5 ? 'light' : 'dark', contrast(ground, accent), contrast(accent, on)];
      })()`);
    const short = [['dark', 'light', 'dark']] as const;
    const long = [...short, ['auto', 'light', 'light'], ['light', 'dark', 'light'], ['auto', 'dark', 'dark']] as const;
    for (const [theme, colorScheme, expected] of byForm<readonly (readonly [string, 'light' | 'dark', string])[]>({ short, long })) {
      const { iframeUrl } = await scene.room({ customization: { showLobby: true, theme } }, api);
      const page = await scene.open(iframeUrl, { colorScheme });
      await page.reaches('idle');
      await page.page.waitForSelector('[data-action=join]');
      const [ground, ...contrasts] = await look(page);
      expect([theme, ground]).toEqual([theme, expected]);
      for (const contrast of contrasts) expect(contrast).toBeGreaterThanOrEqual(4.5);
      expect(await violationsOf(page.page, `lobby, ${theme}`)).toEqual([]);
      await page.close();
    }
  });

  inLongForm(it)('shows no video controls if the room hides them', async () => {
    const { iframeUrl } = await scene.room({ customization: { showLobby: false, showVideoControls: false } });
    const page = await scene.open(iframeUrl, { isUnplugged: true });
    await page.reaches('connected');
    const controls = ['board', 'hand', 'reactions', 'record', 'more', 'people', 'chat', 'polls', 'tutor', 'leave-menu'];
    await eventually(async () => expect(await page.controls()).toEqual(controls));
    const before = await page.state();
    await page.page.keyboard.press('m');
    expect(before).toBe('connected');
  });

  const schemes = byForm<['light' | 'dark', 'light' | 'dark'][]>({
    short: [['dark', 'light']],
    long: [
      ['light', 'light'],
      ['dark', 'dark'],
    ],
  });
  it.each(schemes)('has no accessibility violations in axe, %s for the teacher, %s for the student', async (forTeacher, forStudent) => {
    await teacher.page.emulateMedia({ colorScheme: forTeacher });
    await student.page.emulateMedia({ colorScheme: forStudent });
    const recording = {
      sid,
      roomId,
      organizationId: 'any',
      egressId: `EG_${randomUUID()}`,
      startedAt: new Date().toISOString(),
      endedAt: null,
      duration: null,
      reason: null,
      health: 'OK',
      isPaused: false,
      isMerged: false,
    };
    await publishFact(scene.stack, recordingActive, sid, { ...recording, status: 'ACTIVE', version: 1 });
    for (const page of [teacher, student]) await page.shows('REC');
    const member = await scene.member(roomId, 'ann', 'STUDENT');
    await member.api.post('/v1/classroom/hand', { raised: true });
    await member.api.post('/v1/classroom/chat', { text: 'https://school.example' });
    const found: string[] = [];
    const look = async (page: ClassroomPage, where: string) => found.push(...(await violationsOf(page.page, where)));
    for (const tab of ['people', 'chat', 'polls'] as const) {
      for (const page of [teacher, student]) {
        await page.panel(tab);
        await look(page, `${page === teacher ? 'teacher' : 'student'}, ${tab}`);
      }
    }
    await teacher.press('new-poll');
    await teacher.page.fill('[data-action=poll-question]', 'Ready?');
    await teacher.page.fill('[aria-label="Answer 1"]', 'Yes');
    await teacher.page.fill('[aria-label="Answer 2"]', 'No');
    await look(teacher, 'new poll');
    await teacher.press('start-poll');
    await student.press('polls');
    await eventually(async () => expect(await student.count('[data-action=vote]')).toBe(1));
    await look(student, 'poll card');
    await teacher.press('close-poll');
    await teacher.panel('people');
    await teacher.page.click('[data-person=ann] [data-action=person-menu]');
    await look(teacher, 'menu');
    await teacher.page.click('[data-person=ann] [data-action=person-remove]');
    await look(teacher, 'question');
    await teacher.page.keyboard.press('Escape');
    await teacher.press('people');
    await teacher.press('more');
    await teacher.press('shortcuts');
    await look(teacher, 'shortcuts');
    await teacher.page.keyboard.press('Escape');
    await member.rtc.leave();
    await publishFact(scene.stack, recordingEnding, sid, { ...recording, status: 'ENDING', version: 2 });
    expect(found).toEqual([]);
  });
});
