/** @lane real-time */
import { AccessToken } from 'livekit-server-sdk';
import type { RecordingConsent } from '@classroom/contracts';
import { eventually, inLongForm, person } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';

const TEXT = 'We record this class for pupils who are ill.\nThe film is deleted after a week.';
const UNPLUGGED = { isUnplugged: true };

/** The question for consent on the class page, and what the recording page shows. */
describe('the question for consent', () => {
  let scene: ClassScene;

  beforeAll(async () => {
    scene = await ClassScene.start();
  });
  afterEach(async () => expect(await scene.tidy()).toEqual([]));
  afterAll(() => scene?.stop());

  const recording = (without: RecordingConsent['without'], ask: RecordingConsent['ask'] = 'join') => ({
    ask,
    without,
    version: '1',
    text: TEXT,
  });
  const roomWith = (consent: object, more: object = {}) => scene.room({ settings: { consent }, ...more });
  const guest = async (roomId: string, uid: string, role = 'MODERATOR', options: object = UNPLUGGED) =>
    scene.open((await scene.link(roomId, uid, role)).iframeUrl, options);
  const asks = ({ page }: ClassroomPage) => page.waitForSelector('dialog [data-action=consent-yes]');
  const isClosed = (page: ClassroomPage) => eventually(async () => expect(await page.count('dialog')).toBe(0));
  const controls = (page: ClassroomPage, expected: object) => eventually(async () => expect(await page.controls()).toEqual(expected));
  const connections = ({ page }: ClassroomPage) => page.evaluate<number>('window.probe.peers.length');

  it('comes before the class, is answered by keyboard, and changed in the menu', async () => {
    const { roomId } = await roomWith({ recording: recording('mute') });
    const ada = await guest(roomId, 'ada');
    await asks(ada);
    expect(await ada.text()).toContain(TEXT);
    await ada.shows('your camera, microphone and screen stay off');
    expect([await connections(ada), await ada.deviceRequests()]).toEqual([0, 0]);
    expect(await violationsOf(ada.page, 'question before the class')).toEqual([]);
    // From the title to the text, which may scroll.
    await ada.page.keyboard.press('Tab');
    for (const action of ['consent-no', 'consent-yes']) {
      await ada.page.keyboard.press('Tab');
      expect(await ada.page.evaluate('document.activeElement.dataset.action')).toBe(action);
    }
    await ada.page.keyboard.press('Shift+Tab');
    await ada.page.keyboard.press('Enter');
    await ada.reaches('connected');
    await isClosed(ada);
    expect(await ada.controls()).not.toContain('microphone');
    await ada.press('more');
    await ada.press('consent');
    await asks(ada);
    await ada.shows('You have not agreed.');
    expect(await violationsOf(ada.page, 'question in class')).toEqual([]);
    await ada.press('consent-yes');
    await isClosed(ada);
    await controls(ada, expect.arrayContaining(['microphone', 'camera']));
  });

  it('keeps out of class who refuses, until the answer changes, also after a reload', async () => {
    const { roomId } = await roomWith({ recording: recording('refuse') });
    const ada = await guest(roomId, 'ada', 'STUDENT');
    await asks(ada);
    await ada.press('consent-no');
    await ada.page.waitForSelector(':root[data-reason=no-consent]');
    expect(await violationsOf(ada.page, 'card after a refusal')).toEqual([]);
    expect(await connections(ada)).toBe(0);
    await ada.page.reload();
    await ada.page.waitForSelector(':root[data-reason=no-consent]');
    await ada.press('again');
    await asks(ada);
    expect(await ada.text()).toContain(TEXT);
    await ada.press('consent-yes');
    await ada.reaches('connected');
    // A withdrawal in class leads out of it, and says why.
    await ada.press('more');
    await ada.press('consent');
    await ada.press('consent-no');
    await ada.page.waitForSelector(':root[data-reason=no-consent]');
    ada.watch.expect(/403/);
  });

  inLongForm(it)('is not answered by closing it', async () => {
    const { roomId } = await roomWith({ recording: recording('hide') });
    const ada = await guest(roomId, 'ada');
    await asks(ada);
    await ada.page.keyboard.press('Escape');
    await ada.page.waitForSelector(':root[data-reason=left]');
    await ada.press('again');
    await asks(ada);
    expect((await scene.api.get(`/v1/room/${roomId}/consents`)).body.data.consents).toEqual([]);
  });

  inLongForm(it)('is shown in class when a recording starts, and its limits end with the recording', async () => {
    const { roomId, iframeUrl } = await roomWith({ recording: recording('mute', 'recording') });
    const teacher = await scene.open(iframeUrl, UNPLUGGED);
    await teacher.reaches('connected');
    const ada = await guest(roomId, 'ada', 'MODERATOR', {});
    await ada.reaches('connected');
    await controls(ada, expect.arrayContaining(['microphone', 'camera']));
    await eventually(async () => expect(await ada.isOn('microphone')).toBe('true'));
    await eventually(async () => expect((await scene.api.post(`/v1/room/${roomId}/recording/start`)).status).toBe(200));
    await asks(ada);
    await controls(ada, expect.not.arrayContaining(['microphone']));
    expect(await teacher.count('dialog')).toBe(0);
    await ada.press('consent-later');
    await isClosed(ada);
    expect(await ada.controls()).not.toContain('microphone');
    expect((await scene.api.post(`/v1/room/${roomId}/recording/stop`)).status).toBe(200);
    await controls(ada, expect.arrayContaining(['microphone', 'camera']));
  });

  inLongForm(it)('is asked in the language of the page', async () => {
    const { roomId } = await roomWith({ recording: recording('refuse') });
    const { iframeUrl } = await scene.link(roomId, 'ada', 'STUDENT');
    const ada = await scene.open(`${iframeUrl}&lang=de`, UNPLUGGED);
    await asks(ada);
    await ada.shows('Ohne Ihre Einwilligung können Sie an diesem Unterricht nicht teilnehmen.');
    expect(await ada.page.innerText('[data-action=consent-no]')).toBe('Ich willige nicht ein');
  });

  inLongForm(it).each(['light', 'dark'] as const)('is legible in the %s theme on a phone, with a long text', async (theme) => {
    const text = 'A long sentence about the recording. '.repeat(50);
    const { roomId } = await roomWith({ recording: { ...recording('mute'), text } }, { customization: { showLobby: true, theme } });
    const ada = await guest(roomId, 'ada', 'STUDENT', { ...UNPLUGGED, viewport: { width: 390, height: 700 } });
    await asks(ada);
    expect(await violationsOf(ada.page, `long question, ${theme}`)).toEqual([]);
    for (const action of ['consent-no', 'consent-yes']) {
      const box = await ada.page.locator(`[data-action=${action}]`).boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 700).toBe(true);
    }
    await ada.press('consent-yes');
    await ada.page.waitForSelector('[data-action=join]');
  });

  it('decides whom the recording page shows and plays', async () => {
    const { roomId, sid } = await roomWith({ recording: recording('hide') });
    const enter = async (uid: string, granted: boolean) => {
      const { token } = await scene.link(roomId, uid, 'MODERATOR');
      const answer = (isGranted: boolean) =>
        scene.api.bearer(token).post('/v1/classroom/consent', { purpose: 'recording', version: '1', granted: isGranted });
      await answer(granted);
      const { rtc } = await scene.member(roomId, uid, 'MODERATOR');
      await rtc.publish();
      return { rtc, answer };
    };
    const ada = await enter('ada', false);
    const { livekitApiKey = '', livekitApiSecret = '' } = scene.stack.secrets;
    const recorder = new AccessToken(livekitApiKey, livekitApiSecret, { identity: 'EG_consent', ttl: 600 });
    recorder.addGrant({ room: sid, roomJoin: true, hidden: true, recorder: true, canSubscribe: true, canPublish: false });
    const query = { url: scene.stack.urls.livekitPublic, token: await recorder.toJwt(), layout: 'grid', title: 'Geometry' };
    const page = await scene.open(`${scene.stack.urls.gateway}/recording?${new URLSearchParams(query)}`);
    await page.page.waitForSelector('.recording[data-connected=true]');
    const shown = () => page.page.locator('.tile').evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('data-uid')));
    const played = () => page.page.locator('audio').evaluateAll((all) => all.map((audio) => audio.getAttribute('data-uid')));
    const bob = await enter('bob', true);
    await eventually(async () => expect(await page.framesOf('bob')).toBeGreaterThan(5));
    await eventually(async () => expect(await played()).toEqual(['bob']));
    expect(await shown()).toEqual(['bob']);
    expect(await page.page.getByLabel('Recording', { exact: true }).count()).toBe(1);
    // Nothing of the other participant was ever received.
    expect(await received(page)).toBe(2);
    await ada.answer(true);
    await eventually(async () => expect(await page.framesOf('ada')).toBeGreaterThan(5));
    expect((await played()).sort()).toEqual(['ada', 'bob']);
    await ada.answer(false);
    await eventually(async () => expect([await shown(), await played()]).toEqual([['bob'], ['bob']]));
    // In class, everyone still sees and hears everyone.
    const before = bob.rtc.received.audio;
    await eventually(() => expect(bob.rtc.received.audio).toBeGreaterThan(before + 20));
  });

  inLongForm(it)('has no tutor next to it where AI is switched off', async () => {
    const { roomId } = await roomWith({ ai: false });
    const student = await guest(roomId, 'ada', 'STUDENT');
    await student.reaches('connected');
    expect(await student.controls()).not.toContain('tutor');
    await student.panel('people');
    expect(await student.count('[role=tab]')).toBe(3);
    const other = await scene.room();
    const answer = await scene.api.post(`/v1/room/${other.roomId}/join`, { participant: { ...person('bob', 'STUDENT'), ai: false } });
    const bob = await scene.open(answer.body.data.iframeUrl, UNPLUGGED);
    await bob.reaches('connected');
    expect(await bob.controls()).not.toContain('tutor');
    const ann = await guest(other.roomId, 'ann', 'STUDENT');
    await ann.reaches('connected');
    expect(await ann.controls()).toContain('tutor');
    await scene.api.patch(`/v1/room/${other.roomId}`, { settings: { consent: { ai: false } } });
    await controls(ann, expect.not.arrayContaining(['tutor']));
  });
});

/** Number of tracks that have ever brought a packet to the page. */
const received = ({ page }: ClassroomPage) =>
  page.evaluate<number>(`(async () => {
    let tracks = 0;
    for (const peer of window.probe.peers)
      for (const report of (await peer.getStats()).values()) if (report.type === 'inbound-rtp' && report.packetsReceived > 0) tracks += 1;
    return tracks;
  })()`);
