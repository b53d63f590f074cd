import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { eventually } from '@classroom/testing';
import { PageWatch } from './page-watch.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Runs in the page before any script of its own. */
const PROBE = `
  window.probe = { deviceRequests: 0, peers: [], states: [] };
  new MutationObserver(() => window.probe.states.push(document.documentElement.dataset.state))
    .observe(document, { subtree: true, attributeFilter: ['data-state'] });
  for (const name of ['getUserMedia', 'getDisplayMedia']) {
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

/** Every question for a device or a screen is answered with yes; few pictures a second, where many pages show theirs. */
export const YES_TO_ALL = [
  '--use-fake-ui-for-media-stream',
  '--auto-select-desktop-capture-source=Entire screen',
  '--use-fake-device-for-media-stream=fps=5',
];

/** A headless Chromium with a camera that shows a clock and a microphone that beeps. @throws where none is installed */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`no Chromium at ${CHROMIUM}: install it (apt-get install chromium) or set CHROMIUM_PATH`);
  }
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--use-fake-device-for-media-stream', ...more] });
}

interface PageOptions extends BrowserContextOptions {
  /** The user has allowed camera and microphone; else a page that asked for them would be refused. */
  devices?: boolean;
}

export interface Inbound {
  framesDecoded: number;
  audioEnergy: number;
}

/** The classroom's page in a browser profile of its own. */
export class ClassroomPage {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly watch: PageWatch,
  ) {}

  static async open(browser: Browser, url: string, { devices = false, ...options }: PageOptions = {}): Promise<ClassroomPage> {
    const context = await browser.newContext({ viewport: { width: 640, height: 480 }, ...options });
    if (devices) await context.grantPermissions(['camera', 'microphone'], { origin: new URL(url).origin });
    await context.addInitScript(PROBE);
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

  /** @throws where that is not on the page in time */
  async shows(words: string | RegExp, timeoutMs?: number): Promise<void> {
    await eventually(async () => expect(await this.text()).toMatch(words), timeoutMs);
  }

  /** Whatever was open before; without a tab none is. */
  async panel(tab?: 'people' | 'chat' | 'polls' | 'tutor'): Promise<void> {
    if (!tab) {
      if ((await this.count('.side-panel')) > 0) await this.press('close-panel');
    } else if ((await this.count(`[role=tab][data-tab=${tab}][aria-selected=true]`)) === 0) await this.press(tab);
  }

  /** Out of somebody's menu in the open list of people. */
  async deed(uid: string, name: string): Promise<void> {
    await this.page.click(`[data-person="${uid}"] [data-action="person-menu"]`);
    await this.page.click(`[data-person="${uid}"] [data-action="person-${name}"]`);
  }

  /** 'true' or 'false' of a control that is on or off. */
  isOn(control: string): Promise<string | null> {
    return this.page.getAttribute(`[data-action=${control}]`, 'data-on');
  }

  /** How many of such elements there are. */
  count(selector: string): Promise<number> {
    return this.page.locator(selector).count();
  }

  /** What the control bar offers, by action, in its order. */
  controls(): Promise<string[]> {
    return this.page.locator('.control').evaluateAll((controls) => controls.map((control) => control.getAttribute('data-action') ?? ''));
  }

  /** @throws where the page is not in that state in time */
  async reaches(state: string, timeoutMs = 15_000): Promise<void> {
    await eventually(async () => expect(await this.state()).toBe(state), timeoutMs);
  }

  /** It may have gone through that state quicker than one can look. */
  async passes(state: string): Promise<void> {
    await eventually(async () => expect(await this.page.evaluate('window.probe.states')).toContain(state), 15_000);
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

  /** How often the page asked the browser for a camera, a microphone or a screen. */
  deviceRequests(): Promise<number> {
    return this.page.evaluate('window.probe.deviceRequests');
  }

  /** Pictures shown so far of one person. */
  framesOf(uid: string): Promise<number> {
    return this.page.evaluate(`document.querySelector('video[data-uid="${uid}"]')?.getVideoPlaybackQuality().totalVideoFrames ?? 0`);
  }

  isPlayingSoundOf(uid: string): Promise<boolean> {
    return this.page.evaluate(`(() => {
      const audio = document.querySelector('audio[data-uid="${uid}"]');
      return audio !== null && !audio.paused && !audio.muted && audio.currentTime > 0;
    })()`);
  }

  /** What came in over all of the page's peer connections. */
  inbound(): Promise<Inbound> {
    return this.page.evaluate(`(async () => {
      const sum = { framesDecoded: 0, audioEnergy: 0 };
      for (const peer of window.probe.peers) {
        for (const report of (await peer.getStats()).values()) {
          if (report.type !== 'inbound-rtp') continue;
          sum.framesDecoded += report.framesDecoded ?? 0;
          sum.audioEnergy += report.totalAudioEnergy ?? 0;
        }
      }
      return sum;
    })()`);
  }

  /** Sound of `uid`, who is the only one to be heard, goes on arriving from now on. @throws where it doesn't in time */
  async hears(uid: string, timeoutMs = 15_000): Promise<void> {
    const { audioEnergy } = await this.inbound();
    await eventually(async () => {
      expect((await this.inbound()).audioEnergy).toBeGreaterThan(audioEnergy);
      expect(await this.isPlayingSoundOf(uid)).toBe(true);
    }, timeoutMs);
  }

  /** Picture and sound of `uid` go on arriving from now on. @throws where they don't in time */
  async seesAndHears(uid: string, timeoutMs = 15_000): Promise<void> {
    const [before, framesBefore] = [await this.inbound(), await this.framesOf(uid)];
    await eventually(async () => {
      expect(await this.framesOf(uid)).toBeGreaterThan(framesBefore + 10);
      const now = await this.inbound();
      expect(now.framesDecoded).toBeGreaterThan(before.framesDecoded);
      expect(now.audioEnergy).toBeGreaterThan(before.audioEnergy);
      expect(await this.isPlayingSoundOf(uid)).toBe(true);
    }, timeoutMs);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
