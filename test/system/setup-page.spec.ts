/** @lane real-time */
import { byForm, eventually, inLongForm } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { SMALL, type ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';

/** Blurring needs WebGL, which a machine without a graphics card computes. The pages themselves are drawn without it, or they take its time. */
const SOFTWARE_GRAPHICS = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'];

/** Records what the page asks of the browser. The camera is small, because the processor computes its blurred picture. */
const RECORDER = `
  window.asked = [];
  window.played = [];
  const { getUserMedia } = navigator.mediaDevices;
  navigator.mediaDevices.getUserMedia = function (constraints) {
    if (constraints.audio) window.asked.push(constraints.audio.noiseSuppression);
    if (constraints.video) Object.assign(constraints.video, { width: 320, height: 180, frameRate: 10 });
    return getUserMedia.call(this, constraints);
  };
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    if (this instanceof HTMLAudioElement) window.played.push(this.sinkId);
    return play.call(this);
  };
`;

/** A microphone into which a person speaks without a pause, from the first click on. */
const VOICE = `{
  const original = navigator.mediaDevices.getUserMedia;
  navigator.mediaDevices.getUserMedia = async function ({ audio, video }) {
    if (!audio) return original.call(this, { video });
    const context = new AudioContext();
    document.addEventListener('click', () => context.resume(), true);
    const [voice, out] = [context.createOscillator(), context.createMediaStreamDestination()];
    voice.connect(out);
    voice.start();
    const camera = video ? (await original.call(this, { video })).getTracks() : [];
    return new MediaStream([...out.stream.getTracks(), ...camera]);
  };
}`;

/** The mean difference between neighboring pixels in the first picture that matches: high with sharp edges. */
const sharpnessOf = (page: ClassroomPage, video: string) =>
  page.page.evaluate<number>(`(() => {
    const video = document.querySelector(${JSON.stringify(video)});
    if (!video?.videoWidth) return 0;
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    const context = canvas.getContext('2d');
    context.drawImage(video, 0, 0);
    const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let at = 4; at < data.length; at += 4) if ((at / 4) % width > 0) sum += Math.abs(data[at + 1] - data[at - 3]);
    return sum / (data.length / 4);
  })()`);

/** The sharpness of the first picture that is shown. */
const sharpOf = (page: ClassroomPage, video: string) =>
  eventually(async () => {
    const seen = await sharpnessOf(page, video);
    expect(seen).toBeGreaterThan(0);
    return seen;
    // The processor computes the blur.
  }, 120_000);

/** The dialog for sound and picture, before the class and in it. */
describe('sound and picture', () => {
  let scene: ClassScene;
  let roomId: string;

  beforeAll(async () => {
    scene = await ClassScene.start(undefined, SOFTWARE_GRAPHICS);
  });
  afterEach(async () => expect(await scene.tidy()).toEqual([]));
  afterAll(() => scene?.stop());

  /** Opens the lobby of a new class, with camera and microphone. */
  const lobby = async (locale = 'en') => {
    ({ roomId } = await scene.room({ customization: { showLobby: true } }));
    const page = await scene.open((await scene.link(roomId, 'ada', 'TEACHER')).iframeUrl, { locale, script: RECORDER, viewport: SMALL });
    await page.page.waitForSelector('.preview video:not([hidden])');
    return page;
  };
  const joinAsStudent = async () => {
    const page = await scene.open((await scene.link(roomId, 'ben', 'STUDENT')).iframeUrl, { viewport: SMALL, isUnplugged: true });
    await page.join();
    return page;
  };
  const turn = (page: ClassroomPage, name: string, isOn: boolean) => page.page.setChecked(`[data-action=${name}]`, isOn);

  const german = ['de', 'Ton und Bild', 'Testton'] as const;
  it.each(byForm({ short: [german], long: [['en', 'Sound and picture', 'Test sound'] as const, german] }))(
    'are tried out before the class, in the language %s',
    async (locale, title, play) => {
      const ada = await lobby(locale);
      await ada.press('setup');
      await ada.shows(title);
      expect(await violationsOf(ada.page, `sound and picture ${locale}`)).toEqual([]);
      const speaker = ada.page.locator('[data-action=speaker]');
      // The browser lists the speakers under other identifiers as soon as it has devices.
      const chosen = await eventually(async () => {
        const outputs = await speaker.locator('option').evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));
        const last = outputs.at(-1) ?? '';
        await speaker.selectOption(last, { timeout: 1_000 });
        return last;
      });
      await ada.press('test-sound');
      await eventually(async () => expect(await ada.page.evaluate('window.played')).toContain(chosen));
      await ada.shows(play);
      await ada.page.waitForSelector('[data-action=test-sound]:enabled');
      await ada.press('setup-done');
      expect(await ada.count('dialog')).toBe(0);
    },
  );

  it('fit into their dialog in a class without a lobby, which has loaded nothing of it', async () => {
    const { iframeUrl } = await scene.room();
    const ada = await scene.open(iframeUrl, { viewport: SMALL });
    await ada.reaches('connected');
    await ada.press('more');
    await ada.press('setup');
    await ada.page.waitForSelector('dialog .preview video:not([hidden])');
    const shown = await ada.page.evaluate(`(() => {
      const [dialog, preview, choice] = ['dialog', 'dialog .preview', 'dialog .choice select'].map((selector) => document.querySelector(selector));
      return {
        isWide: dialog.scrollWidth > dialog.clientWidth || preview.offsetWidth > dialog.clientWidth,
        ratio: preview.offsetWidth / preview.offsetHeight,
        isMirrored: getComputedStyle(preview.querySelector('video')).transform.startsWith('matrix(-1'),
        isPlain: getComputedStyle(choice).appearance !== 'none',
      };
    })()`);
    expect(shown).toEqual({ isWide: false, ratio: expect.closeTo(16 / 9, 1), isMirrored: true, isPlain: false });
  });

  inLongForm(it)('send what a music lesson needs, also after a reload', async () => {
    const ada = await lobby();
    await ada.press('setup');
    await turn(ada, 'noise', false);
    await eventually(async () => expect(await ada.page.evaluate('window.asked')).toEqual([true, false]));
    await ada.page.reload();
    await ada.page.waitForSelector('.preview video:not([hidden])');
    expect(await ada.page.evaluate('window.asked')).toEqual([false]);
    await ada.join();
    const other = await joinAsStudent();
    await eventually(async () => expect(await other.audioEnergy()).toBeGreaterThan(0), 20_000);
  });

  /** Turns on the blur in a lobby, and waits until the preview has it. @returns also the sharpness without it */
  const blurredLobby = async () => {
    const ada = await lobby();
    const own = '.preview video';
    const sharp = await sharpOf(ada, own);
    await ada.press('setup');
    await turn(ada, 'blur', true);
    await eventually(async () => expect(await sharpOf(ada, own)).toBeLessThan(sharp / 2), 60_000);
    await ada.press('setup-done');
    return { ada, sharp };
  };

  inLongForm(it)('say that the microphone is off to who speaks into it', async () => {
    const ada = await scene.open((await scene.room()).iframeUrl, { script: VOICE });
    await ada.reaches('connected');
    await eventually(async () => expect(await ada.isOn('microphone')).toBe('true'));
    await ada.press('microphone');
    await ada.shows('You are speaking, but your microphone is off.');
    await ada.press('microphone');
    await eventually(async () => expect(await ada.isOn('microphone')).toBe('true'));
  });

  inLongForm(it)('hide the room behind the teacher in the lobby', async () => {
    const { ada } = await blurredLobby();
    expect(await ada.count('dialog')).toBe(0);
  });

  inLongForm(it)('hide the room behind the teacher from the first picture on, until the blur is turned off', async () => {
    const { ada, sharp } = await blurredLobby();
    await ada.join();
    const watcher = await joinAsStudent();
    const theirs = '.tile[data-uid=ada] video';
    const blurred = await sharpOf(watcher, theirs);
    expect(blurred).toBeLessThan(sharp / 2);
    await ada.press('more');
    await ada.press('setup');
    await turn(ada, 'blur', false);
    await eventually(async () => expect(await sharpnessOf(watcher, theirs)).toBeGreaterThan(blurred * 2), 30_000);
  });

  inLongForm(it)('leave the camera off if the room cannot be hidden, and say why', async () => {
    const ada = await lobby();
    await ada.press('setup');
    await ada.page.route(/selfie_segmentation/, (route) => route.abort());
    await turn(ada, 'blur', true);
    await eventually(async () => expect(await ada.page.isChecked('[data-action=blur]')).toBe(false));
    await ada.page.evaluate(`localStorage.setItem('classroom.effects', '{"isBlurred":true}')`);
    await ada.page.reload();
    await ada.shows('Your background can’t be blurred, so your camera stays off.');
    expect(await ada.count('.preview video:not([hidden])')).toBe(0);
    ada.watch.expect(/net::ERR_FAILED|Failed to fetch/);
  });

  inLongForm(it)('fill the screen or a window above others on request', async () => {
    const ada = await lobby();
    await ada.join();
    await ada.press('more');
    await ada.press('full-screen');
    await eventually(async () => expect(await ada.page.evaluate('document.fullscreenElement === document.documentElement')).toBe(true));
    await ada.press('more');
    await ada.shows('Leave full screen');
    await ada.press('full-screen');
    await eventually(async () => expect(await ada.page.evaluate('document.fullscreenElement')).toBeNull());
    await ada.page.hover('.tile');
    await ada.page.click('.tile-menu button');
    await ada.press('picture-in-picture');
    await eventually(async () => expect(await ada.page.evaluate('document.pictureInPictureElement?.dataset.uid')).toBe('ada'));
  });
});
