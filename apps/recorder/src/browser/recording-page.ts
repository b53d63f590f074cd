import type { BrowserContext, Page, Route } from 'playwright-core';
import type { RecordingPreset } from '@classroom/contracts';
import { download, logger, within, type Outbound } from '@classroom/platform';
import { FILM_TYPE, launch, type Chromium } from './chromium.js';
import { withoutAddress } from './page-address.js';

export type CaptureMessage =
  | { kind: 'started'; at: number }
  | { kind: 'chunk'; data: string; frames: number; skipped: number }
  | { kind: 'failed'; message: string };

/** What the page, or what becomes of it, tells us. */
export interface PageListener {
  onStart(): void;
  onEnd(): void;
  /** In words that continue "the recording was cut: ". */
  onBroken(reason: string): void;
  onMessage(message: CaptureMessage): Promise<void>;
}

/** With what, and whereto of the addresses that schools name. */
export interface Browsing {
  chromium: Promise<Chromium>;
  outbound: Outbound;
}

interface PageOptions {
  address: string;
  profile: string;
  preset: RecordingPreset;
}

/** LiveKit Egress's own sizes and bit rates for these names. */
const PRESETS = {
  H264_720P_30: { width: 1280, height: 720, fps: 30, videoBitsPerSecond: 3_000_000, audioBitsPerSecond: 128_000 },
  H264_1080P_30: { width: 1920, height: 1080, fps: 30, videoBitsPerSecond: 4_500_000, audioBitsPerSecond: 128_000 },
} as const;
const CHUNK_MS = 1_000;
const LOAD_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 5_000;
const IMAGE_TIMEOUT_MS = 10_000;
const IMAGE_MAX_BYTES = 10 * 1024 ** 2;

/** The recording page in a browser of its own. */
export class RecordingPage {
  private constructor(
    private readonly context: BrowserContext,
    private readonly page: Page,
    private readonly options: PageOptions,
  ) {}

  /** @throws where the browser can't be started */
  static async launch({ chromium, outbound }: Browsing, options: PageOptions, listener: PageListener): Promise<RecordingPage> {
    const { profile, preset } = options;
    const context = await launch({ ...(await chromium), profile, ...PRESETS[preset] });
    const page = context.pages()[0] ?? (await context.newPage());
    page.on('console', (message) => {
      const text = message.text();
      if (text === 'START_RECORDING') listener.onStart();
      if (text === 'END_RECORDING') listener.onEnd();
    });
    page.on('crash', () => listener.onBroken('the browser crashed'));
    context.on('close', () => listener.onBroken('the browser ended'));
    page.on('pageerror', (error) =>
      logger.warn({ reason: withoutAddress(error, options.address) }, 'the recording page reported an error'),
    );
    await page.exposeBinding('captureSink', (_, message: CaptureMessage) => listener.onMessage(message));
    const { origin } = new URL(options.address);
    await page.route(
      (url) => url.origin !== origin,
      (route) => letDraw(route, outbound),
    );
    return new RecordingPage(context, page, options);
  }

  /** @throws in words without the address */
  async open(): Promise<void> {
    const { address } = this.options;
    let status: number | undefined;
    try {
      const answer = await this.page.goto(address, { waitUntil: 'domcontentloaded', timeout: LOAD_TIMEOUT_MS });
      status = answer?.status();
    } catch (error) {
      throw new Error(`the recording page could not be loaded (${withoutAddress(error, address)})`);
    }
    if (status === undefined || status >= 400) throw new Error(`the recording page answered ${status}`);
  }

  /** Begins to film; the film comes to the listener. @throws in words without the address */
  async film(): Promise<void> {
    const options = { ...PRESETS[this.options.preset], mimeType: FILM_TYPE, chunkMs: CHUNK_MS };
    try {
      await this.page.evaluate(`window.startCapture(${JSON.stringify(options)})`);
    } catch (error) {
      throw new Error(`the recording page could not be filmed (${withoutAddress(error, this.options.address)})`);
    }
  }

  /** Resolves when the last of the film has come. @throws where the page does not answer any more */
  async finish(): Promise<void> {
    await within(STOP_TIMEOUT_MS, this.page.evaluate('window.stopCapture()'));
  }

  /** What the page says went wrong, as LiveKit Egress looks for it too. */
  async complaint(): Promise<string | undefined> {
    const text = await this.page.evaluate<string | undefined>(`document.querySelector('div.error')?.textContent`).catch(() => undefined);
    return text?.trim();
  }

  /** False where the browser did not end when it was asked to. */
  async close(): Promise<boolean> {
    return within(CLOSE_TIMEOUT_MS, this.context.close()).then(
      () => true,
      () => false,
    );
  }
}

/**
 * Images of other hosts, given to the page as ones it may draw: a logo seldom comes with CORS headers. Schools name them, so the
 * browser, which would open any address, never does.
 */
async function letDraw(route: Route, outbound: Outbound): Promise<void> {
  const request = route.request();
  if (request.resourceType() !== 'image') return route.continue();
  try {
    const { accept = '*/*', 'user-agent': userAgent = '' } = request.headers();
    const headers = { accept, 'user-agent': userAgent };
    const {
      status,
      contentType = '',
      body,
    } = await download(request.url(), { outbound, headers, timeoutMs: IMAGE_TIMEOUT_MS, maxBytes: IMAGE_MAX_BYTES });
    await route.fulfill({ status, contentType, body, headers: { 'access-control-allow-origin': '*' } });
  } catch {
    await route.abort().catch(() => undefined);
  }
}
