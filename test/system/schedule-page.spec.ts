/** @lane real-time */
import { byForm, eventually, inLongForm } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { ClassScene } from './class-scene.js';

const MINUTE_MS = 60_000;

/** A schedule on the class page: before the room opens, and before the class ends. */
describe('the schedule of a class', () => {
  let scene: ClassScene;

  beforeAll(async () => {
    scene = await ClassScene.start();
  });
  afterEach(async () => expect(await scene.tidy()).toEqual([]));
  afterAll(() => scene?.stop());

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const change = (roomId: string, what: object) => scene.api.patch(`/v1/room/${roomId}`, what);

  const german = ['de', 'Der Unterricht hat noch nicht begonnen'] as const;
  it.each(byForm({ short: [german], long: [['en', 'The class has not started yet'] as const, german] }))(
    'is counted down to, in the language %s, and the page enters by itself',
    async (locale, text) => {
      const settings = { startsAt: inMs(8_000), joinBefore: 0 };
      const { roomId } = await scene.room({ title: 'Geometrie 7b', settings });
      const { iframeUrl } = await scene.link(roomId, 'ada', 'STUDENT');
      const ada = await scene.open(iframeUrl, { isUnplugged: true, locale });
      await ada.page.waitForSelector('.opening-time');
      expect(await ada.text()).toMatch(/Geometrie 7b[^]*0:0\d/);
      expect(await ada.text()).toContain(text);
      expect([await ada.page.evaluate('window.probe.peers.length'), await ada.deviceRequests()]).toEqual([0, 0]);
      expect(await violationsOf(ada.page, `countdown ${locale}`)).toEqual([]);
      await ada.reaches('connected');
      ada.watch.expect(/status of 409/);
    },
  );

  it('tells everyone before the end, and ends the class with the reason', async () => {
    const { roomId } = await scene.room({ settings: { endsAt: inMs(9.5 * MINUTE_MS) } });
    const ada = await scene.enter(roomId, 'ada', 'STUDENT', { isUnplugged: true, locale: 'de' });
    await ada.shows('Der Unterricht endet in 10 Minuten.');
    await change(roomId, { settings: { endsAt: inMs(50_000) } });
    await ada.shows('Der Unterricht endet in einer Minute.');
    await change(roomId, { settings: { endsAt: inMs(1_500) } });
    await ada.reaches('ended');
    await ada.shows('Seine Zeit ist abgelaufen.');
    ada.watch.expect(/status of 410/);
  });

  inLongForm(it)('is not all that can change: open pages follow the title and the look', async () => {
    const { roomId } = await scene.room({ customization: { showLobby: false, theme: 'light' } });
    const ada = await scene.enter(roomId, 'ada', 'MODERATOR', { isUnplugged: true });
    expect(await ada.controls()).toContain('microphone');
    await change(roomId, { title: 'Optics', customization: { theme: 'dark', showVideoControls: false } });
    await ada.page.waitForSelector(':root[data-theme=dark]');
    await eventually(async () => expect(await ada.controls()).not.toContain('microphone'));
    await ada.shows('Optics');
    expect(await ada.page.title()).toBe('Optics');
  });
});
