import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { eventually } from '@classroom/testing';
import { PageWatch } from './page-watch.js';

/** In pixels: what a page costs grows with its size. */
export const SMALL = { width: 640, height: 480 };

/** Chromium without its window, which takes half of the processor time. Debian's package is chromium-headless-shell. */
const SHELL = process.env['CHROMIUM_SHELL_PATH'];
/** Chromium as teachers and students have it. A page that asks for a device whose use was not granted before, or for a screen, needs it. */
export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/**
 * Runs before the scripts of a page and of its frames. A small picture and sound without processing: otherwise they are most of what an open
 * class costs.
 * @param height in pixels: of 180, the page sends one layer; of 360, two
 */
export const smallDevices = (height: 180 | 360 = 180) => `{
  const original = navigator.mediaDevices?.getUserMedia;
  if (original) navigator.mediaDevices.getUserMedia = function ({ audio, video }) {
    const raw = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    return original.call(this, {
      audio: audio ? { ...(audio === true ? {} : audio), ...raw } : false,
      video: video ? { ...(video === true ? {} : video), width: ${(height * 16) / 9}, height: ${height}, aspectRatio: 16 / 9 } : false,
    });
  };
}`;

/** Runs after `smallDevices`: every request for a camera or a microphone fails. */
const UNPLUGGED = `
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Requested device not found', 'NotFoundError'));
`;

/** Runs in the page before the page's own scripts. */
const PROBE = `
  window.probe = { deviceRequests: 0, peers: [], states: [] };
  new MutationObserver(() => window.probe.states.push(document.documentElement.dataset.state))
    .observe(document, { subtree: true, attributeFilter: ['data-state'] });
  // A page without TLS at another address than this machine's own has no devices.
  for (const name of navigator.mediaDevices ? ['getUserMedia', 'getDisplayMedia'] : []) {
    const original = navigator.mediaDevices[name];
    navigator.mediaDevices[name] = function (...args) {
      window.probe.deviceRequests += 1;
      return original.apply(this, args);
    };
  }
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.error('policy violated: ' + violatedDirective + ' by ' + blockedURI);
  });
  window.RTCPeerConnection = class extends window.RTCPeerConnection {
    constructor(...args) { super(...args); window.probe.peers.push(this); }
  };
`;

/** Grants every request for a device or a screen. */
export const YES_TO_ALL = ['--use-fake-ui-for-media-stream', '--auto-select-desktop-capture-source=Entire screen'];

/** A camera of enough frames a second for simulcast: LiveKit does not forward a layer in which few packets arrive. */
export const SMOOTH_CAMERA = ['--use-fake-device-for-media-stream=fps=20'];

/**
 * A headless Chromium with a microphone that beeps and a camera of few frames a second, which take less to encode. Its scrollbars take up
 * room, as on Windows and Linux: Playwright would hide them.
 * @throws if none is installed
 */
export async function launchBrowser(more: readonly string[] = [], executablePath = SHELL ?? CHROMIUM): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`no Chromium at ${executablePath}: install it (apt-get install chromium) or set CHROMIUM_PATH`);
  }
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--use-fake-device-for-media-stream=fps=5', ...more],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
}

export interface PageOptions extends BrowserContextOptions {
  /** Whether the user has allowed camera and microphone. Otherwise the browser refuses them. */
  devices?: boolean;
  /** Whether the computer has neither camera nor microphone: a page that sends nothing costs a fraction. */
  isUnplugged?: boolean;
  /** A script that runs before the page's own. */
  script?: string;
}

/** The class page in a separate browser profile. */
export class ClassroomPage {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly watch: PageWatch,
  ) {}

  static async open(browser: Browser, url: string, options: PageOptions = {}): Promise<ClassroomPage> {
    const { devices = false, isUnplugged = false, script, ...others } = options;
    const context = await browser.newContext({ viewport: SMALL, ...others });
    if (devices) await context.grantPermissions(['camera', 'microphone'], { origin: new URL(url).origin });
    for (const it of [smallDevices(), isUnplugged ? UNPLUGGED : '', PROBE, script ?? '']) await context.addInitScript(it);
    // Only bounds a failure, like the time limits of tests.
    context.setDefaultTimeout(90_000);
    const page = await context.newPage();
    const watch = new PageWatch(page);
    await page.goto(url);
    return new ClassroomPage(context, page, watch);
  }

  async join(): Promise<void> {
    await this.press('join');
    await this.reaches('connected');
  }

  press(action: string): Promise<void> {
    return this.page.click(`[data-action="${action}"]`);
  }

  /** @throws if the text does not appear in time */
  async shows(words: string | RegExp, timeoutMs?: number): Promise<void> {
    await eventually(async () => expect(await this.text()).toMatch(words), timeoutMs);
  }

  /** Opens a panel in place of any other. Without a tab, closes it. */
  async panel(tab?: 'people' | 'chat' | 'polls' | 'tutor'): Promise<void> {
    if (!tab) {
      if ((await this.count('.side-panel')) > 0) await this.press('close-panel');
    } else {
      const selected = `[role=tab][data-tab=${tab}][aria-selected=true]`;
      if ((await this.count(selected)) === 0) await this.press(tab);
      // It is loaded when it is opened first, and then takes the focus.
      await this.page.waitForSelector(selected);
    }
  }

  /** Chooses an action in a participant's menu in the open participant list. */
  async chooseAction(uid: string, name: string): Promise<void> {
    await this.page.click(`[data-person="${uid}"] [data-action="person-menu"]`);
    await this.page.click(`[data-person="${uid}"] [data-action="person-${name}"]`);
  }

  /** The state of a toggle control: 'true' or 'false'. */
  isOn(control: string): Promise<string | null> {
    return this.page.getAttribute(`[data-action=${control}]`, 'data-on');
  }

  /** @returns the number of matching elements */
  count(selector: string): Promise<number> {
    return this.page.locator(selector).count();
  }

  /** The actions in the control bar, in order. */
  controls(): Promise<string[]> {
    return this.page.locator('.control').evaluateAll((controls) => controls.map((control) => control.getAttribute('data-action') ?? ''));
  }

  /** @throws if the page does not reach the state in time */
  async reaches(state: string, timeoutMs = 60_000): Promise<void> {
    await eventually(async () => expect(await this.state()).toBe(state), timeoutMs);
  }

  /** Like `reaches`, but the page may already have left the state. */
  async passes(state: string): Promise<void> {
    await eventually(async () => expect(await this.page.evaluate('window.probe.states')).toContain(state));
  }

  state(): Promise<string | undefined> {
    return this.page.evaluate('document.documentElement.dataset.state');
  }

  participants(): Promise<string | undefined> {
    return this.page.evaluate('document.documentElement.dataset.participants');
  }

  text(): Promise<string> {
    return this.page.innerText('body');
  }

  /** Number of times that the page requested a camera, a microphone or a screen. */
  deviceRequests(): Promise<number> {
    return this.page.evaluate('window.probe.deviceRequests');
  }

  /** Number of frames of one participant shown so far. */
  framesOf(uid: string): Promise<number> {
    return this.page.evaluate(`document.querySelector('video[data-uid="${uid}"]')?.getVideoPlaybackQuality().totalVideoFrames ?? 0`);
  }

  isPlayingSoundOf(uid: string): Promise<boolean> {
    return this.page.evaluate(`(() => {
      const audio = document.querySelector('audio[data-uid="${uid}"]');
      return audio !== null && !audio.paused && !audio.muted && audio.currentTime > 0;
    })()`);
  }

  /** The energy of the sound that was received over all of the page's peer connections. */
  audioEnergy(): Promise<number> {
    return this.page.evaluate(`(async () => {
      let energy = 0;
      for (const peer of window.probe.peers) {
        for (const report of (await peer.getStats()).values()) if (report.type === 'inbound-rtp') energy += report.totalAudioEnergy ?? 0;
      }
      return energy;
    })()`);
  }

  /** Waits until new audio of `uid` arrives; no other participant may send audio. @throws if it does not arrive in time */
  async receivesAudio(uid: string, timeoutMs = 60_000): Promise<void> {
    const before = await this.audioEnergy();
    await eventually(async () => {
      expect(await this.audioEnergy()).toBeGreaterThan(before);
      expect(await this.isPlayingSoundOf(uid)).toBe(true);
    }, timeoutMs);
  }

  /** Waits until new video and audio of `uid` arrive. @throws if they do not arrive in time */
  async receivesMedia(uid: string, timeoutMs = 60_000): Promise<void> {
    const [energyBefore, framesBefore] = [await this.audioEnergy(), await this.framesOf(uid)];
    // After a reconnect, a new element and a new connection count from zero.
    const grown = (was: number, now: number) => (now < was ? now : now - was);
    await eventually(async () => {
      expect(grown(framesBefore, await this.framesOf(uid))).toBeGreaterThan(10);
      expect(grown(energyBefore, await this.audioEnergy())).toBeGreaterThan(0);
      expect(await this.isPlayingSoundOf(uid)).toBe(true);
    }, timeoutMs);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
