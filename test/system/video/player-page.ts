import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { eventually } from '@classroom/testing';
import { PageWatch } from '../page-watch.js';

const TIMEOUT_MS = 60_000;

/** The player at `/player` in a separate browser profile. */
export class PlayerPage {
  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    readonly watch: PageWatch,
  ) {}

  static async open(browser: Browser, origin: string, link: Record<string, string | null>): Promise<PlayerPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-US' });
    const page = await context.newPage();
    const watch = new PageWatch(page);
    const fields = Object.entries(link).flatMap(([name, value]) => (value === null ? [] : [`${name}=${encodeURIComponent(value)}`]));
    await page.goto(`${origin}/player#${fields.join('&')}`);
    return new PlayerPage(context, page, watch);
  }

  press = (action: string) => this.page.click(`[data-action="${action}"]`);
  mark = (name: string): Promise<string | undefined> => this.page.evaluate(`document.documentElement.dataset[${JSON.stringify(name)}]`);
  video = <T>(property: string): Promise<T> => this.page.evaluate(`document.querySelector('video').${property}`);
  /** Makes the video restart at its end, so that there is always something to watch. */
  loops = (isEndless: boolean): Promise<void> => this.page.evaluate(`document.querySelector('video').loop = ${isEndless}`);
  captions = () => this.page.innerText('.caption-lines');

  /** @throws if the page does not reach the state in time */
  async reaches(state: string, timeoutMs = TIMEOUT_MS): Promise<void> {
    await eventually(async () => expect(await this.mark('state')).toBe(state), timeoutMs);
  }

  /** Waits until the video plays further than now. */
  async plays(): Promise<void> {
    const [before, frames] = [await this.video<number>('currentTime'), await this.frames()];
    await eventually(async () => {
      expect(await this.video<number>('currentTime')).toBeGreaterThan(before + 0.4);
      expect(await this.frames()).toBeGreaterThan(frames);
    }, TIMEOUT_MS);
  }

  /** Chooses a quality in the menu and waits until it is shown. */
  async switchTo(label: string): Promise<void> {
    await this.press('quality');
    await this.press(`quality-${label}`);
    await eventually(async () => expect(`${await this.video<number>('videoHeight')}p`).toBe(label), TIMEOUT_MS);
  }

  close(): Promise<void> {
    return this.context.close();
  }

  private frames(): Promise<number> {
    return this.video<number>('getVideoPlaybackQuality().totalVideoFrames');
  }
}
