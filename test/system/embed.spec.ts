import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from 'playwright-core';
import { recordingActive, recordingEnding, recordingStarted, type EventData } from '@classroom/contracts';
import {
  type ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  PICTURE_WIDTH,
  publishFact,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';
import { launchBrowser, SMOOTH_CAMERA } from './browser.js';
import { HostPage } from './embed-host.js';
import { HostTab, type TabOptions } from './embed-tab.js';

/** The class in a school's page, embedded with our published package, in a real browser. */
describe('the embedded classroom', () => {
  let stack: RunningStack;
  let browser: Browser;
  let pages: HostPage;
  let api: ApiClient;
  let organizationId: string;
  /** Three addresses of one page: a verified domain, one that hides its address, and one that is not verified. */
  let school: string;
  let hidden: string;
  let stranger: string;
  const tabs: HostTab[] = [];
  const browsers: Browser[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    browsers.push(browser);
    pages = await HostPage.build();
    stack = await sharedStack();
    school = await pages.serve();
    hidden = await pages.serve({ 'referrer-policy': 'no-referrer' });
    stranger = await pages.serve();
    ({ api, organizationId } = await newOrganization(stack, { verifiedDomains: [school, hidden] }));
  });

  afterEach(async () => {
    await Promise.all(tabs.splice(0).map((tab) => tab.close()));
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await Promise.all(browsers.map((one) => one.close()));
    await pages?.close();
  });

  const open = async (host: string, options?: TabOptions) => {
    const tab = await HostTab.open(browser, host, options);
    tabs.push(tab);
    return tab;
  };
  const room = () => newRoom(api, { customization: { showLobby: false } });
  const join = async (roomId: string, uid: string, role: string) =>
    (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data as { token: string; iframeUrl: string };
  const bearerOf = async (token: string) =>
    api.bearer((await api.bearer(token).post('/v1/classroom/session')).body.data.classroomToken as string);
  const enter = async (roomId: string, uid: string, role: string) =>
    RtcParticipant.connect(stack.urls.livekitPublic, (await join(roomId, uid, role)).token);
  const connected = (tab: HostTab) => eventually(async () => expect(await tab.dataOf('connected')).toHaveLength(1));
  const expectMessages = async (tab: HostTab, type: string, ...data: unknown[]) =>
    eventually(async () => expect(await tab.dataOf(type)).toEqual(data));

  function recordingFact(roomId: string, sid: string, egressId: string) {
    const startedAt = new Date().toISOString();
    const fact = { organizationId, sid, roomId, egressId, startedAt, endedAt: null, duration: null, reason: null };
    return (status: string, version: number): EventData<typeof recordingActive> => ({ ...fact, status, version });
  }

  it('sends its host each event once, with its payload, from connecting to the end of the class', async () => {
    const { roomId, sid, iframeUrl } = await room();
    const tab = await open(school);
    await tab.showElement(iframeUrl);
    await connected(tab);

    const student = await enter(roomId, 'student', 'STUDENT');
    const bob = { uid: 'student', name: 'Name of student', role: 'STUDENT' };
    await expectMessages(tab, 'participant_joined', bob);
    const teacher = await bearerOf((await join(roomId, 'second', 'TEACHER')).token);
    expect((await teacher.post('/v1/classroom/participants/student/remove')).status).toBe(200);
    await expectMessages(tab, 'participant_removed', bob);
    await expectMessages(tab, 'participant_left', { ...bob, reason: 'removed' });
    await eventually(() => expect(student.disconnected).toBe(true));

    const egressId = `EG_${randomUUID()}`;
    const fact = recordingFact(roomId, sid, egressId);
    await publishFact(stack, recordingStarted, sid, fact('STARTING', 1));
    await publishFact(stack, recordingActive, sid, fact('ACTIVE', 2));
    await expectMessages(tab, 'recording_started', { egressId, status: expect.stringMatching(/ACTIVE$/) });
    await publishFact(stack, recordingEnding, sid, fact('ENDING', 3));
    await expectMessages(tab, 'recording_stopped', { egressId, status: expect.stringMatching(/ENDING$/) });

    await eventually(async () => expect((await tab.dataOf('connection_quality_changed')).length).toBeGreaterThan(0));
    expect((await api.delete(`/v1/room/${roomId}`)).status).toBe(200);
    await eventually(async () => expect((await tab.dataOf('state_changed')).at(-1)).toMatchObject({ to: 'ended' }));

    const messages = await tab.messages();
    const counts = new Map<string, number>();
    for (const { type } of messages) counts.set(type, (counts.get(type) ?? 0) + 1);
    for (const type of [
      'connected',
      'participant_joined',
      'participant_left',
      'participant_removed',
      'class_ended',
      'recording_started',
      'recording_stopped',
    ]) {
      expect([type, counts.get(type)]).toEqual([type, 1]);
    }
    expect(await tab.dataOf('connected')).toEqual([{ uid: 'teacher', role: 'TEACHER' }]);
    expect((await tab.dataOf('connection_quality_changed'))[0]).toEqual({
      uid: expect.any(String),
      quality: expect.stringMatching(/^(excellent|good|poor|lost|unknown)$/),
    });
    expect(await tab.dataOf('class_ended')).toEqual([{ reason: 'deleted' }]);
    expect((await tab.dataOf('disconnected')).at(-1)).toEqual({ reason: 'class_ended', willReconnect: false });
    const states = await tab.dataOf('state_changed');
    expect(states.slice(0, 2)).toEqual([
      { from: 'idle', to: 'connecting' },
      { from: 'connecting', to: 'connected' },
    ]);
    expect(states.slice(1).every(({ from }, index) => from === states[index]?.['to'])).toBe(true);
    // The envelope, the order, and that the package passes on exactly what the page sent.
    const { origin } = new URL(stack.urls.gateway);
    for (const message of messages) {
      expect(message).toMatchObject({
        origin,
        source: 'virtual-classroom',
        version: 1,
        roomId,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      });
    }
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
    expect(await tab.events()).toEqual(messages.map(({ type, data, seq }) => ({ type, data, seq })));
  });

  it('reports the quality of each video as it changes: a larger picture, a camera that is turned off and on', async () => {
    const { roomId, iframeUrl } = await room();
    const sender = await launchBrowser(SMOOTH_CAMERA);
    browsers.push(sender);
    const [teacher, student] = [await HostTab.open(sender, school, { cameraHeight: 360 }), await open(school)];
    await student.page.setViewportSize({ width: 200, height: 240 });
    await teacher.showElement(iframeUrl);
    await student.showElement((await join(roomId, 'student', 'STUDENT')).iframeUrl);
    await Promise.all([connected(teacher), connected(student)]);
    /** The last quality. Asserts that the changes form a chain from `off`, in which each starts where the previous one ended. */
    const lastOf = async (tab: HostTab) => {
      const changes = await tab.dataOf('quality_changed');
      const ends = ['off', ...changes.map(({ to }) => to)];
      expect(changes).toEqual(changes.map(({ to }, i) => ({ uid: 'teacher', source: 'camera', from: ends[i], to })));
      expect(changes.every(({ from, to }) => from !== to)).toBe(true);
      return ends.at(-1);
    };
    const linesOf = async (tab: HostTab) => Number(/^(\d+)p$/.exec(String(await lastOf(tab)))?.[1] ?? 0);
    const changesTo = async (tab: HostTab, quality: unknown) => eventually(async () => expect(await lastOf(tab)).toEqual(quality));

    await changesTo(student, expect.stringMatching(/^\d+p$/));
    await changesTo(teacher, expect.stringMatching(/^\d+p$/));
    const small = await linesOf(student);
    await student.page.setViewportSize({ width: 1280, height: 720 });
    await eventually(async () => expect(await linesOf(student)).toBeGreaterThan(small));

    expect(await teacher.command('setCamera', false)).toBe('done');
    await Promise.all([changesTo(student, 'off'), changesTo(teacher, 'off')]);
    expect(await teacher.command('setCamera', true)).toBe('done');
    await changesTo(student, expect.stringMatching(/^\d+p$/));
    expect(await student.events()).toEqual((await student.messages()).map(({ type, data, seq }) => ({ type, data, seq })));
  });

  it('reports a removal to the removed participant’s own host, before the connection ends', async () => {
    const { roomId } = await room();
    const tab = await open(school);
    await tab.showElement((await join(roomId, 'student', 'STUDENT')).iframeUrl);
    await connected(tab);
    const moderator = await bearerOf((await join(roomId, 'moderator', 'MODERATOR')).token);
    expect((await moderator.post('/v1/classroom/participants/student/remove')).status).toBe(200);
    await eventually(async () => expect((await tab.dataOf('state_changed')).at(-1)).toMatchObject({ to: 'kicked' }));
    // The browser reports nothing about the frame's attributes.
    expect(tab.console.join()).not.toMatch(/allowfullscreen/i);
    const ending = (await tab.messages()).filter(({ type }) => ['participant_removed', 'disconnected', 'participant_left'].includes(type));
    expect(ending.map(({ type, data }) => [type, data])).toEqual([
      ['participant_removed', { uid: 'student', name: 'Name of student', role: 'STUDENT' }],
      ['disconnected', { reason: 'participant_removed', willReconnect: false }],
    ]);
  });

  it('turns on no device for its host that was not on before: the participant is asked', async () => {
    const { roomId } = await room();
    const tab = await open(school);
    await tab.showElement((await join(roomId, 'student', 'STUDENT')).iframeUrl);
    await connected(tab);
    expect((await api.patch(`/v1/room/${roomId}/participants/student`, { role: 'TEACHER' })).status).toBe(200);
    const camera = tab.classroom()?.locator('[data-action="camera"]');
    await eventually(async () => expect(await camera?.count()).toBe(1));
    expect(await tab.command('setCamera', true)).toBe(
      'refused: The camera was not on yet: the classroom asks the participant to turn it on',
    );
    const accept = tab.classroom()?.locator('[data-action="accept"]');
    await eventually(async () => expect(await accept?.isVisible()).toBe(true));
    expect(await camera?.getAttribute('data-on')).toBe('false');
    await accept?.click();
    await eventually(async () => expect(await camera?.getAttribute('data-on')).toBe('true'));
    for (const isOn of [false, true]) expect(await tab.command('setCamera', isOn)).toBe('done');
  });

  it('runs its host’s commands, or reports why not', async () => {
    const { roomId, iframeUrl } = await room();
    const [teacher, student] = [await open(school), await open(school)];
    await teacher.showElement(iframeUrl);
    await student.showElement((await join(roomId, 'student', 'STUDENT')).iframeUrl);
    await Promise.all([connected(teacher), connected(student)]);

    const isMuted = () => teacher.classroom()?.locator('[data-action="microphone"]').getAttribute('data-on');
    await eventually(async () => expect(await isMuted()).toBe('true'));
    expect(await teacher.command('setMicrophone', false)).toBe('done');
    expect(await isMuted()).toBe('false');
    expect(await teacher.command('setCamera', false)).toBe('done');
    expect(await teacher.command('setLayout', 'speaker')).toBe('done');
    expect(await student.command('raiseHand', true)).toBe('done');
    const state = await (await bearerOf((await join(roomId, 'second', 'TEACHER')).token)).get('/v1/classroom/state');
    expect(state.body.data.hands).toMatchObject([{ uid: 'student' }]);

    expect(await student.command('setMicrophone', true)).toMatch(/^refused: .*role/);
    expect(await student.command('startScreenShare')).toMatch(/^refused: /);
    expect(await teacher.command('setMicrophone', 'loud')).toBe('refused: args.enabled must be a boolean');
    expect(await teacher.command('setLayout', 'mosaic')).toMatch(/^refused: args\.layout must be/);

    const command = { source: 'virtual-classroom', version: 1, command: 'raise_hand', args: { raised: false }, id: 'same' };
    const { origin } = new URL(stack.urls.gateway);
    await student.post(command, origin);
    await student.post(command, origin);
    await student.post({ ...command, command: 'end_class', id: 'other' }, origin);
    await eventually(async () => {
      const results = (await student.dataOf('command_result')).filter(({ id }) => id === 'same' || id === 'other');
      expect(results).toHaveLength(3);
      expect(results).toEqual(
        expect.arrayContaining([
          { id: 'same', ok: true },
          { id: 'other', ok: false, error: 'unknown command' },
        ]),
      );
    });

    expect(await student.command('leave')).toBe('done');
    await expectMessages(student, 'disconnected', { reason: 'voluntary_leave', willReconnect: false });
  });

  it('can be removed from the page and added again, and be replaced by another class', async () => {
    const [first, second] = [await room(), await room()];
    const tab = await open(school);
    await tab.showElement(first.iframeUrl);
    await connected(tab);
    await tab.page.evaluate(`(() => {
      const element = document.querySelector('virtual-classroom');
      element.remove();
      document.querySelector('#place').append(element);
    })()`);
    await eventually(async () => expect(await tab.dataOf('connected')).toHaveLength(2));
    const pending = tab.page.evaluate(`(() => {
      const element = document.querySelector('virtual-classroom');
      const pending = element.raiseHand(true).then(() => 'done', ({ message }) => message);
      element.src = ${JSON.stringify(second.iframeUrl)};
      return pending;
    })()`);
    expect(await pending).toBe('the classroom was closed');
    await eventually(async () => expect(await tab.dataOf('connected')).toHaveLength(3));
    expect((await tab.messages()).filter(({ type }) => type === 'connected').map(({ roomId }) => roomId)).toEqual([
      first.roomId,
      first.roomId,
      second.roomId,
    ]);
    expect((await tab.events()).filter(({ type }) => type === 'connected')).toHaveLength(3);
    expect(await tab.page.locator('iframe').count()).toBe(1);
    await tab.clear();
    await expect(tab.command('leave')).resolves.toMatch(/^refused: the element shows no classroom/);
  });

  it('works in React under StrictMode: mounted, unmounted and mounted again, each event once', async () => {
    const { roomId, iframeUrl } = await room();
    const tab = await open(school);
    let loads = 0;
    tab.page.on('framenavigated', (frame) => (loads += frame.url().includes('/r/') ? 1 : 0));
    await tab.showReact(iframeUrl);
    await connected(tab);
    expect(loads).toBe(1);
    expect(tab.console.join()).not.toMatch(/allowfullscreen/i);
    // New handlers for the same class: no new page is loaded, and only the newest handlers are called.
    await tab.showReact(iframeUrl, 'second');
    await enter(roomId, 'student', 'STUDENT');
    await expectMessages(tab, 'participant_joined', { uid: 'student', name: 'Name of student', role: 'STUDENT' });
    const heard = await tab.events();
    expect(heard.filter(({ type }) => type === 'connected')).toEqual([expect.objectContaining({ by: 'first' })]);
    expect(heard.filter(({ type }) => type === 'participant_joined')).toEqual([expect.objectContaining({ by: 'second' })]);
    expect(new Set(heard.map(({ seq }) => seq)).size).toBe(heard.length);
    expect(await tab.command('setCamera', false)).toBe('done');
    expect(loads).toBe(1);

    await tab.clear();
    await eventually(() => expect(tab.classroom()).toBeUndefined());
    await tab.showReact(iframeUrl, 'third');
    await eventually(async () => expect(await tab.dataOf('connected')).toHaveLength(2));
    expect(loads).toBe(2);
    expect((await tab.events()).filter(({ type }) => type === 'connected').map(({ by }) => by)).toEqual(['first', 'third']);
  });

  it('is not shown in a page of an unverified domain, and would send it nothing', async () => {
    const { roomId, iframeUrl } = await room();
    const refused = await open(stranger);
    await refused.showElement(iframeUrl);
    await eventually(() => expect(refused.console.join()).toContain('frame-ancestors'));

    // In a browser without this policy, the page itself sends nothing and ignores all messages.
    const origin = `http://${await pages.serveWithoutPolicy(stack.urls.gateway)}`;
    const tab = await open(stranger);
    await tab.showElement(iframeUrl.replace(stack.urls.gateway, origin));
    await eventually(async () => expect(await tab.state()).toBe('connected'));
    const ours = { source: 'virtual-classroom', version: 1 };
    await tab.post({ ...ours, command: 'hello' }, origin);
    await tab.post({ ...ours, command: 'leave', args: {}, id: '1' }, origin);
    await enter(roomId, 'student', 'STUDENT');
    await eventually(async () => expect(await tab.participants()).toBe('2'));
    expect(await tab.state()).toBe('connected');
    expect([await refused.messages(), await tab.messages(), await tab.events()]).toEqual([[], [], []]);
  });

  it('waits for a hello if the browser does not name its parent', async () => {
    const { iframeUrl } = await room();
    const prepare = async (context: BrowserContext) => {
      await context.route('**/assets/*.js', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll('ancestorOrigins', 'nothingOfTheKind') });
      });
      // The iframe requests a referrer, but this browser sends none.
      await context.addInitScript(`Object.defineProperty(Document.prototype, 'referrer', { get: () => '' })`);
    };
    const tab = await open(hidden, { prepare });
    await tab.showElement(iframeUrl);
    await connected(tab);
    const messages = await tab.messages();
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
    expect(messages[0]).toMatchObject({ type: 'state_changed', data: { from: 'idle', to: 'connecting' } });
    expect(await tab.command('setMicrophone', false)).toBe('done');
  });

  it('works without a page, too: events and tracks for a custom client', async () => {
    const { roomId, sid } = await room();
    const { token } = await join(roomId, 'student', 'STUDENT');
    const tab = await open(school);
    const eventsOf = async (...types: string[]) => (await tab.headlessEvents()).filter(({ type }) => types.includes(type));
    await tab.startHeadless({ gatewayUrl: stack.urls.gateway, token });
    expect(await tab.headlessEvents()).toEqual(expect.arrayContaining([{ type: 'connected', data: { uid: 'student', role: 'STUDENT' } }]));

    const teacher = await enter(roomId, 'second', 'TEACHER');
    await teacher.publish();
    await eventually(async () => {
      const tracks = await eventsOf('trackSubscribed');
      expect(tracks.map(({ data }) => [data['uid'], data['source']]).sort()).toEqual([
        ['second', 'camera'],
        ['second', 'microphone'],
      ]);
    });
    await eventually(async () => expect(await tab.page.evaluate('document.querySelector("video")?.videoWidth')).toBe(PICTURE_WIDTH));
    const eve = await enter(roomId, 'eve', 'STUDENT');
    await eventually(async () => expect(await eventsOf('participant_joined')).toHaveLength(2));
    const moderator = await bearerOf((await join(roomId, 'moderator', 'MODERATOR')).token);
    await moderator.post('/v1/classroom/participants/eve/remove');
    await eventually(() => expect(eve.disconnected).toBe(true));
    const egressId = `EG_${randomUUID()}`;
    const fact = recordingFact(roomId, sid, egressId);
    await publishFact(stack, recordingActive, sid, fact('ACTIVE', 1));
    await eventually(async () => expect(await eventsOf('recording_started')).toHaveLength(1));
    await publishFact(stack, recordingEnding, sid, fact('ENDING', 2));
    await eventually(async () => expect(await eventsOf('recording_stopped')).toHaveLength(1));
    await teacher.leave();
    await eventually(async () => expect(await eventsOf('participant_left')).toHaveLength(2));

    expect((await api.delete(`/v1/room/${roomId}`)).status).toBe(200);
    await eventually(async () => expect(await eventsOf('class_ended')).toHaveLength(1));
    const data = {
      second: { uid: 'second', name: 'Name of second', role: 'TEACHER' },
      eve: { uid: 'eve', name: 'Name of eve', role: 'STUDENT' },
    };
    expect(await eventsOf('participant_joined', 'participant_left', 'participant_removed')).toEqual(
      expect.arrayContaining([
        { type: 'participant_joined', data: data.second },
        { type: 'participant_joined', data: data.eve },
        { type: 'participant_removed', data: data.eve },
        { type: 'participant_left', data: { ...data.eve, reason: 'removed' } },
        { type: 'participant_left', data: { ...data.second, reason: 'left' } },
      ]),
    );
    expect(await eventsOf('recording_started', 'recording_stopped')).toEqual([
      { type: 'recording_started', data: { egressId, status: 'ACTIVE' } },
      { type: 'recording_stopped', data: { egressId, status: 'ENDING' } },
    ]);
    expect((await eventsOf('disconnected')).at(-1)?.data).toEqual({ reason: 'class_ended', willReconnect: false });
    expect(await eventsOf('class_ended')).toEqual([{ type: 'class_ended', data: { reason: 'deleted' } }]);
    expect(await eventsOf('trackUnsubscribed')).toHaveLength(2);
  });

  it('explains a refusal to a client without a page', async () => {
    const tab = await open(school);
    const refused = tab.startHeadless({ gatewayUrl: stack.urls.gateway, token: 'not.a.token' });
    await expect(refused).rejects.toThrow(/ClassroomRefusal|Unauthorized/);
    const far = await open(stranger);
    const { token } = await room();
    // The browser withholds the answer from a page of another origin.
    expect(
      await far.page.evaluate(
        `fetch('${stack.urls.gateway}/v1/classroom/session', { method: 'POST', headers: { authorization: 'Bearer ${token}' } }).then(() => 'read', () => 'kept')`,
      ),
    ).toBe('kept');
  });
});
