/** @lane real-time */
import { eventually, inLongForm, person } from '@classroom/testing';
import { ClassScene } from './class-scene.js';

/** What the class page offers to participants with other permissions than their role. */
describe('the page of a participant with other permissions', () => {
  let scene: ClassScene;

  beforeAll(async () => {
    scene = await ClassScene.start();
  });
  afterEach(async () => expect(await scene.tidy()).toEqual([]));
  afterAll(() => scene?.stop());

  const link = async (roomId: string, uid: string, role: string, own: object): Promise<string> =>
    (await scene.api.post(`/v1/room/${roomId}/join`, { participant: { ...person(uid, role), ...own } })).body.data.iframeUrl;
  const open = async (roomId: string, uid: string, role: string, own: object = {}, options?: object) =>
    scene.open(await link(roomId, uid, role, own), options);

  it('shows no control that the service would refuse, and follows a change at once', async () => {
    const { roomId } = await scene.room({ settings: { permissions: { STUDENT: { raiseHand: false, react: false, chat: false } } } });
    const student = await open(roomId, 'ada', 'STUDENT', {}, { isUnplugged: true });
    await student.reaches('connected');
    const shown = async () => (await student.controls()).filter((name) => ['hand', 'reactions', 'microphone', 'camera'].includes(name));
    expect(await shown()).toEqual([]);
    await student.panel('chat');
    await student.shows('You can read the chat, but not write in it');
    await scene.api.patch(`/v1/room/${roomId}`, {
      settings: { permissions: { STUDENT: { raiseHand: true, react: null, chat: null, publishAudio: true } } },
    });
    await eventually(async () => expect(await shown()).toEqual(['hand', 'reactions', 'microphone']));
    await student.page.waitForSelector('.composer textarea');
  });

  it('enters with the microphone off where the class wants it quiet, unless the participant turns it on before', async () => {
    const settings = { muteOnJoin: true, permissions: { STUDENT: { publishAudio: true } } };
    const { roomId, iframeUrl } = await scene.room({ settings });
    const teacher = await scene.open(iframeUrl, { devices: true });
    const student = await open(roomId, 'ben', 'STUDENT', {}, { devices: true });
    await Promise.all([teacher.reaches('connected'), student.reaches('connected')]);
    await eventually(async () => expect([await teacher.isOn('microphone'), await student.isOn('microphone')]).toEqual(['true', 'false']));
    expect(await student.deviceRequests()).toBe(0);
    await scene.api.patch(`/v1/room/${roomId}`, { customization: { showLobby: true } });
    const other = await open(roomId, 'eve', 'STUDENT', {}, { devices: true });
    await other.page.waitForSelector('.preview [data-action=microphone]');
    expect(await other.isOn('microphone')).toBe('false');
    await other.press('microphone');
    await other.join();
    await eventually(async () => expect(await other.isOn('microphone')).toBe('true'));
  });

  it('uses no device that the participant may not use, in the lobby and in class', async () => {
    const { roomId } = await scene.room({ customization: { showLobby: true } });
    const teacher = await open(roomId, 'tom', 'TEACHER', { permissions: { publishVideo: false, endClass: false } }, { devices: true });
    await teacher.page.waitForSelector('.preview [data-action=microphone]');
    expect(await teacher.count('.preview [data-action=camera]')).toBe(0);
    await eventually(async () => expect(await teacher.isOn('microphone')).toBe('true'));
    await teacher.join();
    expect((await teacher.controls()).filter((name) => ['camera', 'leave-menu'].includes(name))).toEqual([]);
    expect(await teacher.page.evaluate('window.probe.deviceRequests')).toBe(1);
    // The backend forbids the microphone in class: the page turns it off, and no longer offers it.
    await scene.api.post(`/v1/room/${roomId}/join`, { participant: { ...person('tom', 'TEACHER'), permissions: { publishAudio: false } } });
    await eventually(async () => expect(await teacher.controls()).not.toContain('microphone'));
    expect(await teacher.controls()).toContain('camera');
  });

  inLongForm(it)(
    'leaves out what the backend hides, and says that the participant is in class elsewhere where a second device is refused',
    async () => {
      const { roomId } = await scene.room({ customization: { showLobby: true }, settings: { duplicateJoin: 'refuse' } });
      const ui = { hideChat: true, hideParticipants: true, hideLobby: true };
      const url = await link(roomId, 'ada', 'STUDENT', { ui });
      const student = await scene.open(url, { isUnplugged: true });
      await student.reaches('connected');
      expect((await student.controls()).filter((name) => ['people', 'chat', 'polls'].includes(name))).toEqual(['polls']);
      await student.panel('polls');
      expect(await student.count('[role=tab][data-tab=polls], [role=tab][data-tab=tutor]')).toBe(await student.count('[role=tab]'));
      const second = await scene.open(url, { isUnplugged: true });
      await second.page.waitForSelector(':root[data-reason=replaced]');
      second.watch.expect(/409/);
      await student.reaches('connected');
      await student.press('leave');
      await eventually(async () => expect((await scene.api.get(`/v1/room/${roomId}/status`)).body.data.participantCount).toBe(0));
      await second.press('again');
      await second.reaches('connected');
    },
  );
});
