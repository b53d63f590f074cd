import { chromium, type BrowserContext } from 'playwright-core';
import { childEnvironment } from '../config.js';

/** Chromium has H.264 and Opus, but on Debian no AAC: that is made when the file is. */
export const FILM_TYPE = 'video/x-matroska;codecs=avc1,opus';

const ARGS = [
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Which Chromium, and whether it runs in its own sandbox. */
export interface Chromium {
  path: string;
  isSandboxed: boolean;
}

export interface BrowserOptions extends Chromium {
  /** A profile of its own, also the mark by which what a killed recorder left is found. */
  profile: string;
  width: number;
  height: number;
}

/**
 * One browser with one window. It hangs on a pipe to us, so it ends when we do, however we end. Our signals are ours: a
 * capture goes on through SIGTERM.
 */
export function launch({ path, isSandboxed, profile, width, height }: BrowserOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: path,
    chromiumSandbox: isSandboxed,
    args: ARGS,
    // Muted it would give silence to the file too.
    ignoreDefaultArgs: ['--mute-audio'],
    viewport: { width, height },
    ...OURS,
  });
}

/** Without `env` Playwright hands all of ours on. */
const OURS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false, env: childEnvironment() };

/** @throws where this Chromium can't be started or makes no film of our kind */
export async function canFilm({ path, isSandboxed }: Chromium): Promise<void> {
  const browser = await chromium.launch({ executablePath: path, chromiumSandbox: isSandboxed, ...OURS });
  try {
    const page = await browser.newPage();
    const isSupported = await page.evaluate<boolean>(`MediaRecorder.isTypeSupported(${JSON.stringify(FILM_TYPE)})`);
    if (!isSupported) throw new Error(`this Chromium can't record ${FILM_TYPE}`);
  } finally {
    await browser.close();
  }
}
