/** @lane real-time */
import { randomUUID } from 'node:crypto';
import { recordingActive, recordingEnding } from '@classroom/contracts';
import { inLongForm, eventually, PICTURE_WIDTH, publishFact } from '@classroom/testing';
import { connected, EmbedScene, expectMessages } from './embed-scene.js';

/** What a school's page does with a class through our published package, in a real browser: commands, React, a client without a page. */
describe('the package that embeds the classroom', () => {
  let scene: EmbedScene;
  beforeAll(async () => {
    scene = await EmbedScene.start();
  });
  afterEach(() => scene.closeTabs());
  afterAll(() => scene?.stop());

  it('turns on no device for its host that was not on before: the participant is asked', async () => {
    const { roomId } = await scene.room();
    const tab = await scene.open(scene.hosts.school);
    await tab.showElement((await scene.join(roomId, 'student', 'STUDENT')).iframeUrl);
    await connected(tab);
    expect((await scene.api.patch(`/v1/room/${roomId}/participants/student`, { role: 'TEACHER' })).status).toBe(200);
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
    // The button shows what the participant wants, before the browser has opened the camera.
    const pictures = tab.classroom()?.locator('.tile-own video');
    const widths = () => pictures?.evaluateAll((videos) => videos.map((video) => (video as unknown as { videoWidth: number }).videoWidth));
    await eventually(async () => expect(Math.max(0, ...((await widths()) ?? []))).toBeGreaterThan(0));
    for (const isOn of [false, true]) expect(await tab.command('setCamera', isOn)).toBe('done');
  });

  it('runs its host’s commands, or reports why not', async () => {
    const { roomId, iframeUrl } = await scene.room();
    const [teacher, student] = [await scene.open(scene.hosts.school), await scene.open(scene.hosts.school)];
    await teacher.showElement(iframeUrl);
    await student.showElement((await scene.join(roomId, 'student', 'STUDENT')).iframeUrl);
    await Promise.all([connected(teacher), connected(student)]);

    const isMuted = () => teacher.classroom()?.locator('[data-action="microphone"]').getAttribute('data-on');
    await eventually(async () => expect(await isMuted()).toBe('true'));
    expect(await teacher.command('setMicrophone', false)).toBe('done');
    expect(await isMuted()).toBe('false');
    expect(await teacher.command('setCamera', false)).toBe('done');
    expect(await teacher.command('setLayout', 'speaker')).toBe('done');
    expect(await student.command('raiseHand', true)).toBe('done');
    const state = await (await scene.bearerOf((await scene.join(roomId, 'second', 'TEACHER')).token)).get('/v1/classroom/state');
    expect(state.body.data.hands).toMatchObject([{ uid: 'student' }]);

    expect(await student.command('setMicrophone', true)).toMatch(/^refused: .*role/);
    expect(await student.command('startScreenShare')).toMatch(/^refused: /);
    expect(await teacher.command('setMicrophone', 'loud')).toBe('refused: args.enabled must be a boolean');
    expect(await teacher.command('setLayout', 'mosaic')).toMatch(/^refused: args\.layout must be/);

    const command = { source: 'virtual-classroom', version: 1, command: 'raise_hand', args: { raised: false }, id: 'same' };
    const { origin } = new URL(scene.stack.urls.gateway);
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

  inLongForm(it)('can be removed from the page and added again, and be replaced by another class', async () => {
    const [first, second] = [await scene.room(), await scene.room()];
    const tab = await scene.open(scene.hosts.school);
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
    const { roomId, iframeUrl } = await scene.room();
    const tab = await scene.open(scene.hosts.school);
    let loads = 0;
    tab.page.on('framenavigated', (frame) => (loads += frame.url().includes('/r/') ? 1 : 0));
    await tab.showReact(iframeUrl);
    await connected(tab);
    expect(loads).toBe(1);
    expect(tab.console.join()).not.toMatch(/allowfullscreen/i);
    // New handlers for the same class: no new page is loaded, and only the newest handlers are called.
    await tab.showReact(iframeUrl, 'second');
    await scene.enter(roomId, 'student', 'STUDENT');
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

  it('works without a page, too: events and tracks for a custom client', async () => {
    const { roomId, sid } = await scene.room();
    const { token } = await scene.join(roomId, 'student', 'STUDENT');
    const tab = await scene.open(scene.hosts.school);
    const eventsOf = async (...types: string[]) => (await tab.headlessEvents()).filter(({ type }) => types.includes(type));
    await tab.startHeadless({ gatewayUrl: scene.stack.urls.gateway, token });
    expect(await tab.headlessEvents()).toEqual(expect.arrayContaining([{ type: 'connected', data: { uid: 'student', role: 'STUDENT' } }]));

    const teacher = await scene.enter(roomId, 'second', 'TEACHER');
    await teacher.publish();
    await eventually(async () => {
      const tracks = await eventsOf('trackSubscribed');
      expect(tracks.map(({ data }) => [data['uid'], data['source']]).sort()).toEqual([
        ['second', 'camera'],
        ['second', 'microphone'],
      ]);
    });
    await eventually(async () => expect(await tab.page.evaluate('document.querySelector("video")?.videoWidth')).toBe(PICTURE_WIDTH));
    const eve = await scene.enter(roomId, 'eve', 'STUDENT');
    await eventually(async () => expect(await eventsOf('participant_joined')).toHaveLength(2));
    const moderator = await scene.bearerOf((await scene.join(roomId, 'moderator', 'MODERATOR')).token);
    await moderator.post('/v1/classroom/participants/eve/remove');
    await eventually(() => expect(eve.disconnected).toBe(true));
    const egressId = `EG_${randomUUID()}`;
    const fact = scene.recordingFact(roomId, sid, egressId);
    await publishFact(scene.stack, recordingActive, sid, fact('ACTIVE', 1));
    await eventually(async () => expect(await eventsOf('recording_started')).toHaveLength(1));
    await publishFact(scene.stack, recordingEnding, sid, fact('ENDING', 2));
    await eventually(async () => expect(await eventsOf('recording_stopped')).toHaveLength(1));
    await teacher.leave();
    await eventually(async () => expect(await eventsOf('participant_left')).toHaveLength(2));

    expect((await scene.api.delete(`/v1/room/${roomId}`)).status).toBe(200);
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

  inLongForm(it)('explains a refusal to a client without a page', async () => {
    const tab = await scene.open(scene.hosts.school);
    const refused = tab.startHeadless({ gatewayUrl: scene.stack.urls.gateway, token: 'not.a.token' });
    await expect(refused).rejects.toThrow(/ClassroomRefusal|Unauthorized/);
    const far = await scene.open(scene.hosts.stranger);
    const { token } = await scene.room();
    // The browser withholds the answer from a page of another origin.
    expect(
      await far.page.evaluate(
        `fetch('${scene.stack.urls.gateway}/v1/classroom/session', { method: 'POST', headers: { authorization: 'Bearer ${token}' } }).then(() => 'read', () => 'kept')`,
      ),
    ).toBe('kept');
  });
});
