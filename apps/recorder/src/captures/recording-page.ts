import type { CaptureJob, RecordingPreset } from '@classroom/contracts';
import { logger, within } from '@classroom/platform';
import type { BrowserContext, Page } from 'playwright-core';
import { RECORDING_MIME_TYPE, SOUND_MIME_TYPE, launch, type Chromium } from './chromium.js';

type Shown = Pick<CaptureJob, 'pageUrl' | 'livekitUrl' | 'token' | 'boardToken' | 'layout' | 'title' | 'logoUrl'>;

/**
 * The address that LiveKit Egress would give a custom template, with `capture=1` added, and the tokens in the fragment: no proxy gets them. The
 * address contains the tokens: never log it.
 */
export function pageAddress({ pageUrl, livekitUrl, token, boardToken, layout, title, logoUrl }: Shown): string {
  const address = new URL(pageUrl);
  const parameters = { url: livekitUrl, layout, title, logo: logoUrl, capture: '1' };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  address.hash = new URLSearchParams({ token, ...(boardToken === undefined ? {} : { board: boardToken }) }).toString();
  return address.href;
}

/** The first line of a failure for logs and recordings, without address and tokens: Playwright's messages contain the whole address. */
export function withoutAddress(error: unknown, address: string): string {
  const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const { hash, searchParams } = new URL(address);
  const [withoutToken] = address.split('#');
  const tokens = new URLSearchParams(hash.slice(1)).values();
  const secrets = [address, withoutToken, ...tokens, ...[...searchParams.values()].filter((value) => value.length > 20)];
  return secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '…') : text), firstLine).slice(0, 300);
}

export type CaptureMessage =
  | { kind: 'started'; at: number }
  | { kind: 'chunk'; data: string; frames: number; skipped: number }
  | { kind: 'failed'; message: string };

/** Receives the events of the page and of its browser. */
export interface PageListener {
  onStart(): void;
  onEnd(): void;
  /** `reason` completes the text "the recording was cut: ". */
  onBroken(reason: string): void;
  onMessage(message: CaptureMessage): Promise<void>;
}

interface PageOptions {
  address: string;
  profile: string;
  preset: RecordingPreset;
  audioOnly?: boolean | undefined;
}

/** The sizes and bit rates of LiveKit Egress for these names. */
const PRESETS = {
  H264_720P_30: { width: 1280, height: 720, fps: 30, videoBitsPerSecond: 3_000_000, audioBitsPerSecond: 128_000 },
  H264_1080P_30: { width: 1920, height: 1080, fps: 30, videoBitsPerSecond: 4_500_000, audioBitsPerSecond: 128_000 },
} as const;
const CHUNK_MS = 1_000;
/** Shorter than the time to start, so that the reason is known. */
const LOAD_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** The recording page in a browser of its own. */
export class RecordingPage {
  private constructor(
    private readonly context: BrowserContext,
    private readonly page: Page,
    private readonly options: PageOptions,
  ) {}

  /** @throws if the browser cannot be started */
  static async launch(chromium: Promise<Chromium>, options: PageOptions, listener: PageListener): Promise<RecordingPage> {
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
    // The page's policy forbids it too. An image without a CORS header would end the film, and a school could choose a private address.
    const { origin } = new URL(options.address);
    await page.route(
      (url) => url.origin !== origin,
      (route) => (route.request().resourceType() === 'image' ? route.abort() : route.continue()),
    );
    return new RecordingPage(context, page, options);
  }

  /** Loads the page. @throws an error without the address */
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

  /** Starts recording; the listener receives the chunks. @throws an error without the address */
  async startRecording(): Promise<void> {
    const { preset, audioOnly = false } = this.options;
    const options = { ...PRESETS[preset], audioOnly, mimeType: audioOnly ? SOUND_MIME_TYPE : RECORDING_MIME_TYPE, chunkMs: CHUNK_MS };
    try {
      await this.page.evaluate(`window.startCapture(${JSON.stringify(options)})`);
    } catch (error) {
      throw new Error(`the recording page could not be filmed (${withoutAddress(error, this.options.address)})`);
    }
  }

  /** Resolves when the last of the film has arrived. @throws if the page no longer answers */
  async finish(): Promise<void> {
    await within(STOP_TIMEOUT_MS, this.page.evaluate('window.stopCapture()'));
  }

  /** The error that the page shows, in the element where LiveKit Egress also looks for it. */
  async errorText(): Promise<string | undefined> {
    const text = await this.page.evaluate<string | undefined>(`document.querySelector('div.error')?.textContent`).catch(() => undefined);
    return text?.trim();
  }

  /** False if the browser did not close in time. */
  async close(): Promise<boolean> {
    return within(CLOSE_TIMEOUT_MS, this.context.close()).then(
      () => true,
      () => false,
    );
  }
}
