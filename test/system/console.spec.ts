import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { LOGO_SAMPLE } from '@classroom/contracts';
import {
  ApiClient,
  byForm,
  eventually,
  inLongForm,
  newOrganization,
  newRoom,
  RtcParticipant,
  type RunningStack,
  WebhookReceiver,
} from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { ConsoleScene, holdClass, isLoaded, PLANNED_ROOMS, planRooms, shows, violationsInThemes } from './console-scene.js';
import { tabStopsOf } from './tab-stops.js';

/** Transferred with the first page, gzipped, in bytes. */
const BUDGET = 260_000;
/** The short form looks at some of them on a phone. */
const STAFF_PAGES = ['', 'rooms', 'videos', 'usage', 'ledger', 'branding', 'retention', 'integration', 'audit'];

const ROOMS_HEADER = 'Room ID,Title,Status,Planned Start,Started At,Ended At,Duration (Minutes),Teachers,Participants';

/** The console in a real browser: a school with a class that was held and charged, and another school. */
describe('the console', () => {
  let stack: RunningStack;
  let scene: ConsoleScene;
  let address: ConsoleScene['address'];
  let open: ConsoleScene['open'];
  let organizationId: string;
  let roomId: string;
  let foreignRoomId: string;
  let link: string;
  /** What the class has been charged. */
  let credits: number;
  let receiver: WebhookReceiver;
  let endpointId: string;

  beforeAll(async () => {
    scene = await ConsoleScene.start();
    ({ stack, address, open } = scene);
    const school = await newOrganization(stack, { name: 'Lakeside', verifiedDomains: ['lakeside.example'] });
    ({ organizationId } = school);
    link = await linkFor('OWNER');
    receiver = await WebhookReceiver.start();
    const endpoint = { url: receiver.url('/lakeside'), eventTypes: ['room.finished'] };
    ({ endpointId } = (await school.api.post('/v1/webhook-endpoints', endpoint)).body.data);
    ({ roomId, credits } = await holdClass(stack, school.api));
    await planRooms(school.api);
    foreignRoomId = (await newRoom((await newOrganization(stack)).api)).roomId;
  });

  afterEach(() => scene.closePages());

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await scene?.stop();
    await receiver?.stop();
  });

  const linkFor = (role: 'OWNER' | 'MEMBER') => scene.linkFor(organizationId, role);

  const go = async (page: Page, name: string) => page.click(`[data-page=${name}]`);

  it('is opened by a link, whose token leaves the address and stays in the tab', async () => {
    const { page, watch } = await open(await linkFor('OWNER'));
    await eventually(async () => expect(await page.innerText('header.top')).toContain('Lakeside'));
    await shows(page, /Credits left/);
    await isLoaded(page);
    expect(page.url()).toBe(address(''));
    await page.reload();
    await shows(page, /Credits left/);
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    expect([watch.problems, [...watch.hosts]]).toEqual([[], [new URL(stack.urls.gateway).host]]);
    const files = Object.entries(await watch.downloads()).filter(([path]) => !path.startsWith('/v1/'));
    const sum = files.reduce((total, [, size]) => total + size, 0);
    expect({ files: sum < BUDGET ? {} : Object.fromEntries(files), sum }).toEqual({ files: {}, sum: expect.any(Number) });
    const session = await page.evaluate<string>(`sessionStorage.getItem('console-token')`);
    await page.click('[data-action=sign-out]');
    await shows(page, 'Open the console by your link');
    const copy = new ApiClient(stack.urls.gateway).bearer(session);
    await eventually(async () => expect((await copy.get('/v1/dashboard/profile')).status).toBe(401));
    expect(await page.evaluate('Object.keys(sessionStorage)')).not.toContain('console-token');
  });

  it('says how to get a link where there is none, or one that is not valid', async () => {
    const { page } = await open(`${address('rooms')}#token=not.a.token`);
    await shows(page, 'Open the console by your link');
    await page.goto(address('usage'));
    await shows(page, 'Open the console by your link');
  });

  it('leads from a month’s usage over a class and its charge to the sessions, and back to the class', async () => {
    const { page, watch } = await open(link);
    await go(page, 'usage');
    await page.click('[role=row] a');
    await shows(page, 'Geometry: right triangles');
    await page.click(`[data-row="${roomId}"] [data-number=true] a`);
    await shows(page, `Only ${roomId}`);
    await page.click('[data-row] .row-link');
    await shows(page, 'Agrees');
    const sessions = page.locator('[role=table] [data-row]');
    await eventually(async () =>
      expect((await sessions.allInnerTexts()).map((row) => row.split('\n')[0]).sort()).toEqual(['Name of bob', 'Name of teacher']),
    );
    await page.click(`main a[href$="/rooms/${roomId}"]`);
    await eventually(async () => expect(await page.locator('[data-lane]').count()).toBe(2));
    await shows(page, /Attendance[\s\S]*Name of bob[\s\S]*Participation[\s\S]*Recordings[\s\S]*not recorded[\s\S]*by your platform/);
    await shows(page, `${credits} of 90 credits used; after that: the class ends`);
    const answers = page.locator('[role=table][aria-label="Answers to the question for consent"] [data-row]');
    await eventually(async () =>
      expect((await answers.allInnerTexts()).map((row) => row.split('\n').slice(0, 4))).toEqual(
        ['Granted', 'Refused'].map((answer) => ['Name of bob', 'bob', answer, '2026-1']),
      ),
    );
    expect(watch.problems).toEqual([]);
  });

  it('shows which class is prepared before its start, which are planned, and what was recorded last', async () => {
    const academy = await newOrganization(stack, { name: 'Academy' });
    const startsAt = new Date(Date.now() + 3 * 3_600_000).toISOString();
    const prepared = await newRoom(academy.api, { title: 'Optics', settings: { startsAt } });
    const teacher = await RtcParticipant.connect(stack.urls.livekitPublic, prepared.token);
    const statusOf = async () => (await academy.api.get(`/v1/room/${prepared.roomId}/status`)).body.data;
    await eventually(async () => expect(await statusOf()).toMatchObject({ participantCount: 1 }));
    const [owner, phone] = await Promise.all([
      open(await scene.linkFor(academy.organizationId, 'OWNER')),
      open(await scene.linkFor(academy.organizationId, 'OWNER'), { viewport: { width: 360, height: 740 } }),
    ]);
    await shows(owner.page, /Live now[\s\S]*Optics\s+1 person\s+planned [\s\S]*Being prepared[\s\S]*Balance/);
    await shows(owner.page, /Planned classes[\s\S]*Optics[\s\S]*Being prepared[\s\S]*None of the latest classes was recorded/);
    await teacher.leave();
    await eventually(async () => expect(await statusOf()).toMatchObject({ participantCount: 0 }));
    // As of a class that was recorded: a recorder takes a browser.
    const { body } = await academy.api.get(`/v1/room/${prepared.roomId}/recordings`);
    const recording = {
      recordingId: 'rec_EG_any',
      roomId: prepared.roomId,
      status: 'COMPLETED',
      startedAt: new Date().toISOString(),
      duration: 754,
      availableUntil: startsAt,
    };
    await phone.page.route('**/v1/room/*/recordings', (route) => route.fulfill({ json: { ...body, data: [recording] } }));
    await phone.page.reload();
    await shows(phone.page, /Live now[\s\S]*No class is live[\s\S]*Planned classes[\s\S]*Optics[\s\S]*Being prepared/);
    await shows(phone.page, /Latest recordings[\s\S]*Optics\s+12:34\s+Available\s+available until/);
    expect(await phone.page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true);
    expect(await violationsOf(phone.page, 'latest recordings')).toEqual([]);
    await phone.page.click('section[aria-label="Latest recordings"] a');
    await shows(phone.page, /Optics Being prepared[\s\S]*Planned start/);
    expect([owner.watch.problems, phone.watch.problems]).toEqual([[], []]);
  });

  it('shows teacher and people of a class that is over, finds it by its day, and saves the list and the attendance as CSV', async () => {
    const { page, watch } = await open(link);
    await go(page, 'rooms');
    const today = new Date().toISOString().slice(0, 10);
    for (const name of ['from', 'to']) await page.fill(`[name=${name}]`, today);
    await eventually(async () => expect(await page.locator('[data-row]').count()).toBe(1));
    await shows(page, /Geometry: right triangles[\s\S]*Name of teacher[\s\S]*2\s*$/);
    const save = async () => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=csv]')]);
      return [file.suggestedFilename(), (await readFile(await file.path(), 'utf8')).split('\r\n').filter(Boolean)] as const;
    };
    expect(await save()).toEqual([
      'classes.csv',
      ['\uFEFF' + ROOMS_HEADER, expect.stringContaining(`${roomId},"Geometry: right triangles",finished,`)],
    ]);
    await page.click('.row-link');
    await shows(page, 'Attendance');
    const [name, lines] = await save();
    expect([name, lines.filter((line) => /^"?Name of|bob/.test(line)).length > 0]).toEqual(['attendance.csv', true]);
    expect(watch.problems).toEqual([]);
  });

  it('says what a shorter retention erases, and erases nothing before the owner agrees', async () => {
    const { page } = await open(link, { reducedMotion: 'reduce' });
    await go(page, 'retention');
    const chat = page.getByLabel('Chat messages and reactions');
    await chat.fill('7');
    await page.click('[data-action=save]');
    const dialog = page.locator('dialog');
    await eventually(async () => expect(await dialog.innerText()).toMatch(/365 → 7 days[\s\S]*Nothing that is stored now is that old/));
    expect(await violationsInThemes(page, 'what a shorter retention erases')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.reload();
    await eventually(async () => expect(await chat.inputValue()).toBe('365'));
    await chat.fill('7');
    await page.click('[data-action=save]');
    await page.click('[data-action=confirm-retention]');
    await shows(page, 'Saved.');
    // As of a school with a year of classes.
    const effect = {
      dataClass: 'polls',
      erased: 340,
      stored: 360,
      oldestAt: '2026-01-15T09:00:00.000Z',
      before: '2026-11-21T09:00:00.000Z',
    };
    await page.route('**/retention/effect**', (route) => route.fulfill({ json: { success: true, data: effect } }));
    await page.getByLabel('Polls and votes').fill('7');
    await page.click('[data-action=save]');
    await eventually(async () => expect(await dialog.innerText()).toMatch(/340 of 360 classes[\s\S]*15 Jan 2026[\s\S]*more than 90 %/));
    const confirm = page.locator('[data-action=confirm-retention]');
    await page.keyboard.type('34');
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.type('0');
    expect(await confirm.isDisabled()).toBe(false);
    expect(await violationsInThemes(page, 'a number to type')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Polls and votes').fill('365');
    // A longer time erases nothing.
    await chat.fill('365');
    await page.click('[data-action=save]');
    await shows(page, 'Saved.');
    expect(await dialog.count()).toBe(0);
  });

  inLongForm(it)('lists all classes, page by page, and finds them by title and status', async () => {
    const { page } = await open(link);
    await go(page, 'rooms');
    await shows(page, `Lesson ${PLANNED_ROOMS}`);
    const rows = () => page.getAttribute('[role=table]', 'aria-rowcount');
    // Far fewer rows than the list has.
    expect(await page.locator('[data-row]').count()).toBeLessThan(PLANNED_ROOMS / 2);
    await eventually(async () => {
      await page.mouse.wheel(0, 2_000);
      expect(await rows()).toBe(String(PLANNED_ROOMS + 2));
    });
    await shows(page, 'Geometry');
    await page.fill('[type=search]', 'geometry');
    await eventually(async () => expect(await rows()).toBe('2'));
    expect(page.url()).toContain('title=geometry');
    await page.selectOption('form[role=search] select', 'live');
    await shows(page, 'No class matches');
  });

  inLongForm(it)('says that a page of a list could not be read, and reads it again only when asked', async () => {
    const { page } = await open(link);
    const nextPages = /\/v1\/rooms\?.*cursor=/;
    let requests = 0;
    await page.route(nextPages, (route) => {
      requests += 1;
      return route.fulfill({ status: 400, json: { success: false, message: 'Invalid', error: 'VALIDATION_FAILED', requestId: 'any' } });
    });
    await go(page, 'rooms');
    await eventually(async () => {
      await page.mouse.wheel(0, 2_000);
      expect(await page.locator('main [role=alert]').count()).toBe(1);
    });
    for (const y of [-2_000, 2_000, -2_000, 2_000]) await page.mouse.wheel(0, y);
    await page.waitForSelector('[data-action=more]:enabled');
    expect(requests).toBe(1);
    await page.unroute(nextPages);
    await page.click('[data-action=more]');
    await eventually(async () => expect(await page.getAttribute('[role=table]', 'aria-rowcount')).toBe(String(PLANNED_ROOMS + 2)));
    expect(await page.locator('main [role=alert]').count()).toBe(0);
  });

  it('does not show a class of another organization', async () => {
    const { page } = await open(link);
    await shows(page, /Credits left/);
    await page.goto(address(`rooms/${foreignRoomId}`));
    await shows(page, 'There is no such class in your organization');
    const token = link.split('token=')[1] ?? '';
    const api = new ApiClient(stack.urls.gateway).bearer(token);
    const room = `/v1/room/${foreignRoomId}` as const;
    const parts = [
      '',
      '/participants',
      '/attendance',
      '/engagement',
      '/consents',
      '/polls',
      '/chat',
      '/recordings',
      '/recordings/download',
    ];
    for (const path of [
      ...parts.map((part) => `${room}${part}`),
      `/v1/dashboard/rooms/${foreignRoomId}/connections`,
      `/v1/ai-tutor/summary/${foreignRoomId}`,
    ])
      expect([path, (await api.get(path)).body.error]).toEqual([path, 'ROOM_NOT_FOUND']);
  });

  inLongForm(it)('lets an owner change the branding, and a member only see it', async () => {
    const { page } = await open(link);
    await go(page, 'branding');
    await page.fill('#accentColor', '#f9a825');
    const file = page.getByLabel(/^Logo: a file/);
    const isShown = (of: Page) =>
      eventually(async () => expect(await of.evaluate(`document.querySelector('.preview-logo')?.naturalWidth ?? 0`)).toBe(1));
    await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    const problem = page.locator('.field-problem');
    expect(await problem.innerText()).toBe('The file is no PNG, JPEG or WebP.');
    expect(await file.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'));
    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.click('[data-action=save]');
    await eventually(async () => expect(await problem.innerText()).toBe('must be a PNG, JPEG or WebP'));
    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(LOGO_SAMPLE, 'base64') });
    await isShown(page);
    await page.click('[data-action=save]');
    await shows(page, /The logo was uploaded as a file[\s\S]*Saved\./);
    const member = (await open(await linkFor('MEMBER'))).page;
    await go(member, 'branding');
    await isShown(member);
    expect(await member.getByLabel(/^Logo: a file/).isDisabled()).toBe(true);
    await page.click('[data-action=remove-logo]');
    await eventually(async () => expect(await page.evaluate(`document.activeElement?.getAttribute('type')`)).toBe('file'));
    await page.click('[data-action=save]');
    await eventually(async () => expect(await page.locator('.preview-logo, [data-action=remove-logo]').count()).toBe(0));
    await shows(member, /Only an owner can change this[\s\S]*#f9a825[\s\S]*Only an operator[\s\S]*lakeside\.example\s+Verified/);
    expect(await member.isDisabled('#accentColor')).toBe(true);
    expect(await member.locator('[data-action=save]').count()).toBe(0);
  });

  it('lets an owner end the session of another person, who then needs a new link', async () => {
    const member = (await open(await linkFor('MEMBER'))).page;
    await shows(member, /Credits left/);
    const { page } = await open(link);
    await go(page, 'audit');
    // The newest one, once it is in the log.
    await eventually(async () => {
      await page.reload();
      expect(await page.locator('[data-row]').first().innerText()).toMatch(/made a link to the console[\s\S]*End session/);
    });
    await page.click('[data-action=end-session] >> nth=0');
    await page.click('[data-action=confirm-end-session]');
    await shows(page, 'Session ended');
    await member.reload();
    await shows(member, 'Open the console by your link');
  });

  it('lets an owner set credit alerts with the keyboard, says what is wrong with one, and lets a member only see them', async () => {
    const { page } = await open(link, { reducedMotion: 'reduce' });
    await go(page, 'usage');
    await shows(page, 'There are no thresholds');
    await page.focus('[data-action=add-threshold]');
    await page.keyboard.press('Enter');
    await page.keyboard.type('-5');
    await page.keyboard.press('Enter');
    await shows(page, /A value is not valid/);
    const field = page.getByLabel('Threshold 1, in credits');
    const problem = await field.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${problem}"]`).innerText()).toMatch(/^must be .*0/);
    expect(await violationsInThemes(page, 'a threshold that is not valid')).toEqual([]);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('200');
    await page.focus('[data-action=add-threshold]');
    await page.keyboard.press('Enter');
    await page.keyboard.type('500');
    await page.keyboard.press('Enter');
    await shows(page, 'Saved.');
    const fields = await page.locator('[type=number]').all();
    expect(await Promise.all(fields.map((it) => it.inputValue()))).toEqual(['500', '200']);
    await page.locator('[data-action=remove-threshold]').last().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await shows(page, 'Saved.');
    const member = (await open(await linkFor('MEMBER'))).page;
    await go(member, 'usage');
    await shows(member, /Credit alerts[\s\S]*Only an owner can change this/);
    const shown = member.getByLabel('Threshold 1, in credits');
    expect([await shown.inputValue(), await shown.isDisabled(), await member.locator('[data-action=add-threshold]').count()]).toEqual([
      '500',
      true,
      0,
    ]);
    expect(await member.getByLabel('Threshold 2, in credits').count()).toBe(0);
  });

  inLongForm(it)('shows an owner the webhooks and what was sent, and sends a delivery again', async () => {
    const { page } = await open(link);
    await go(page, 'integration');
    await shows(page, /lakeside[\s\S]*Works[\s\S]*There are no API keys/);
    await page.click(`[data-endpoint="${endpointId}"]`);
    await shows(page, /room\.finished[\s\S]*Delivered[\s\S]*200/);
    expect(receiver.received).toHaveLength(1);
    await page.click('[data-action=details]');
    await eventually(async () =>
      expect(await page.innerText('dialog')).toMatch(/Attempts\s+1[\s\S]*"type": "room\.finished"[\s\S]*Answer/),
    );
    await page.click('[data-action=replay]');
    await shows(page, 'It will be sent again in a moment.');
    await eventually(async () => expect(receiver.received).toHaveLength(2));
    const member = (await open(await linkFor('MEMBER'))).page;
    await go(member, 'integration');
    await shows(member, 'Only an owner sees how the platform is connected.');
  });

  it('has no violation of accessibility on any page in either theme', async () => {
    // Colors change at once.
    const { page } = await open(link, { reducedMotion: 'reduce' });
    const found: string[] = [];
    for (const path of byForm({
      short: ['', 'audit', `rooms/${roomId}`],
      long: [...STAFF_PAGES, `rooms/${roomId}`, `integration/${endpointId}`, 'operator', 'no-such-page'],
    })) {
      await page.goto(address(path));
      await page.waitForSelector('h1');
      found.push(...(await violationsInThemes(page, path)));
    }
    expect(found).toEqual([]);
  });

  inLongForm(it)('can be used with the keyboard alone', async () => {
    const { page } = await open(link);
    await shows(page, /Credits left/);
    await isLoaded(page);
    const stops = await tabStopsOf(page);
    expect(stops.filter(({ isReachable, name }) => !isReachable && !name.includes('skip'))).toEqual([]);
    await page.focus('[data-page=rooms]');
    await page.keyboard.press('Enter');
    await shows(page, 'Title contains');
    // The page's heading has the focus, so that Tab continues with its content.
    await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe('Classes'));
    await page.keyboard.press('Tab');
    await page.keyboard.type('geometry');
    await eventually(async () => expect(await page.locator('[data-row]').count()).toBe(1));
    await page.focus('.row-link');
    await page.keyboard.press('Enter');
    await shows(page, 'Who was there when');
  });

  it('fits a phone, and speaks German', async () => {
    const { page } = await open(link, { locale: 'de-DE', viewport: { width: 390, height: 844 } });
    await shows(page, /Verbleibende Credits/);
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    for (const path of byForm({
      short: ['usage', `rooms/${roomId}`],
      long: [...STAFF_PAGES, `integration/${endpointId}`, `rooms/${roomId}`],
    })) {
      await page.goto(address(path));
      await page.waitForSelector('h1');
      await isLoaded(page);
      const fits = await page.evaluate<[boolean, boolean]>(`(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const [nav, chosen] = ['.nav', '.nav [aria-current=page]'].map((one) => document.querySelector(one).getBoundingClientRect());
        return [scrollWidth <= clientWidth, chosen.right <= nav.right];
      })()`);
      expect([path, ...fits]).toEqual([path, true, true]);
    }
    await shows(
      page,
      /Wer wann da war[\s\S]*Anwesenheit[\s\S]*Einwilligung[\s\S]*Verweigert[\s\S]*von 90 Credits verbraucht; danach: der Unterricht endet/,
    );
    await page.selectOption('[data-action=language]', 'en');
    await shows(page, /Who was there when[\s\S]*Attendance/);
    await page.reload();
    await shows(page, /Who was there when/);
  });

  it('is next to a page for browsers at /, which answers API clients as if it did not exist', async () => {
    const { page, watch } = await open(`${stack.urls.gateway}/`);
    await shows(page, /Virtual Classroom[\s\S]*(Everything works|A feature is down)\.[\s\S]*API reference/);
    expect(await violationsOf(page, 'landing page')).toEqual([]);
    expect(watch.problems).toEqual([]);
    for (const accept of ['*/*', 'application/json', undefined]) {
      const answer = await new ApiClient(stack.urls.gateway, accept ? { accept } : {}).get('/');
      expect([answer.status, answer.body]).toEqual([404, expect.objectContaining({ success: false, error: 'NOT_FOUND' })]);
    }
    for (const path of ['console/assets/none.js', 'console/assets/..%2findex.html', 'console/assets/'])
      expect([path, (await fetch(`${stack.urls.gateway}/${path}`)).status]).toEqual([path, 404]);
    const shell = await fetch(address('rooms/any'));
    expect(shell.headers.get('content-security-policy')).toContain(`default-src 'none'; script-src 'self'; style-src 'self'`);
    expect(shell.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
    const script = /src="(?<path>\/console\/assets\/index-[^"]+\.js)"/.exec(await shell.text())?.groups?.['path'] ?? '';
    const { headers } = await fetch(`${stack.urls.gateway}${script}`, { headers: { 'accept-encoding': 'br' } });
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual(['br', 'public, max-age=31536000, immutable']);
  });
});
