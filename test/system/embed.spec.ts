/** @lane real-time */
import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { recordingActive, recordingEnding, recordingStarted } from '@classroom/contracts';
import { eventually, inLongForm, publishFact } from '@classroom/testing';
import { SMOOTH_CAMERA } from './browser.js';
import { connected, EmbedScene, expectMessages } from './embed-scene.js';
import type { HostTab } from './embed-tab.js';

/** What the class tells the school's page in which it is embedded with our published package, in a real browser. */
describe('the embedded classroom', () => {
  let scene: EmbedScene;
  beforeAll(async () => {
    scene = await EmbedScene.start();
  });
  afterEach(() => scene.closeTabs());
  afterAll(() => scene?.stop());

  it('sends its host each event once, with its payload, from connecting to the end of the class', async () => {
    const { roomId, sid, iframeUrl } = await scene.room();
    const tab = await scene.open(scene.hosts.school);
    await tab.showElement(iframeUrl);
    await connected(tab);

    const student = await scene.enter(roomId, 'student', 'STUDENT');
    const bob = { uid: 'student', name: 'Name of student', role: 'STUDENT' };
    await expectMessages(tab, 'participant_joined', bob);
    const teacher = await scene.bearerOf((await scene.join(roomId, 'second', 'TEACHER')).token);
    expect((await teacher.post('/v1/classroom/participants/student/remove')).status).toBe(200);
    await expectMessages(tab, 'participant_removed', bob);
    await expectMessages(tab, 'participant_left', { ...bob, reason: 'removed' });
    await eventually(() => expect(student.disconnected).toBe(true));

    expect((await teacher.post('/v1/classroom/board/pages', { template: 'grid' })).status).toBe(200);
    expect((await teacher.patch('/v1/classroom/board', { isShown: true })).status).toBe(200);
    await expectMessages(tab, 'board_changed', { isShown: true, page: 1, pages: 1 });

    const egressId = `EG_${randomUUID()}`;
    const fact = scene.recordingFact(roomId, sid, egressId);
    await publishFact(scene.stack, recordingStarted, sid, fact('STARTING', 1));
    await publishFact(scene.stack, recordingActive, sid, fact('ACTIVE', 2));
    await expectMessages(tab, 'recording_started', { egressId, status: expect.stringMatching(/ACTIVE$/) });
    await publishFact(scene.stack, recordingEnding, sid, fact('ENDING', 3));
    await expectMessages(tab, 'recording_stopped', { egressId, status: expect.stringMatching(/ENDING$/) });

    await eventually(async () => expect((await tab.dataOf('connection_quality_changed')).length).toBeGreaterThan(0));
    expect((await scene.api.delete(`/v1/room/${roomId}`)).status).toBe(200);
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
    const { origin } = new URL(scene.stack.urls.gateway);
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

  inLongForm(it)('reports the quality of each video as it changes: a larger picture, a camera that is turned off and on', async () => {
    const { roomId, iframeUrl } = await scene.room();
    const sender = await scene.browser(SMOOTH_CAMERA);
    const [teacher, student] = [await scene.open(scene.hosts.school, { cameraHeight: 360 }, sender), await scene.open(scene.hosts.school)];
    await student.page.setViewportSize({ width: 200, height: 240 });
    await teacher.showElement(iframeUrl);
    await student.showElement((await scene.join(roomId, 'student', 'STUDENT')).iframeUrl);
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

  inLongForm(it)('reports a removal to the removed participant’s own host, before the connection ends', async () => {
    const { roomId } = await scene.room();
    const tab = await scene.open(scene.hosts.school);
    await tab.showElement((await scene.join(roomId, 'student', 'STUDENT')).iframeUrl);
    await connected(tab);
    const moderator = await scene.bearerOf((await scene.join(roomId, 'moderator', 'MODERATOR')).token);
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

  it('is not shown in a page of an unverified domain, and would send it nothing', async () => {
    const { roomId, iframeUrl } = await scene.room();
    const refused = await scene.open(scene.hosts.stranger);
    await refused.showElement(iframeUrl);
    await eventually(() => expect(refused.console.join()).toContain('frame-ancestors'));

    // In a browser without this policy, the page itself sends nothing and ignores all messages.
    const origin = `http://${await scene.pages.serveWithoutPolicy(scene.stack.urls.gateway)}`;
    const tab = await scene.open(scene.hosts.stranger);
    await tab.showElement(iframeUrl.replace(scene.stack.urls.gateway, origin));
    await eventually(async () => expect(await tab.state()).toBe('connected'));
    const ours = { source: 'virtual-classroom', version: 1 };
    await tab.post({ ...ours, command: 'hello' }, origin);
    await tab.post({ ...ours, command: 'leave', args: {}, id: '1' }, origin);
    await scene.enter(roomId, 'student', 'STUDENT');
    await eventually(async () => expect(await tab.participants()).toBe('2'));
    expect(await tab.state()).toBe('connected');
    expect([await refused.messages(), await tab.messages(), await tab.events()]).toEqual([[], [], []]);
  });

  inLongForm(it)('waits for a hello if the browser does not name its parent', async () => {
    const { iframeUrl } = await scene.room();
    const prepare = async (context: BrowserContext) => {
      await context.route('**/assets/*.js', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll('ancestorOrigins', 'nothingOfTheKind') });
      });
      // The iframe requests a referrer, but this browser sends none.
      await context.addInitScript(`Object.defineProperty(Document.prototype, 'referrer', { get: () => '' })`);
    };
    const tab = await scene.open(scene.hosts.hidden, { prepare });
    await tab.showElement(iframeUrl);
    await connected(tab);
    const messages = await tab.messages();
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
    expect(messages[0]).toMatchObject({ type: 'state_changed', data: { from: 'idle', to: 'connecting' } });
    expect(await tab.command('setMicrophone', false)).toBe('done');
  });
});
