import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logger } from '@classroom/platform';
import type { BrowserContext } from 'playwright-core';
import { childEnvironment, type RecorderConfig } from '../config.js';
import { runProgram } from '../encoding/run-program.js';

/** Chromium records H.264 and Opus, but on Debian no AAC: the sound becomes AAC when the file is made. */
export const RECORDING_MIME_TYPE = 'video/x-matroska;codecs=avc1,opus';
/** Of the sound alone. Every Chromium records it. */
export const SOUND_MIME_TYPE = 'audio/webm;codecs=opus';

const ARGS = [
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** The Chromium program, and whether it runs in its own sandbox. */
export interface Chromium {
  path: string;
  isSandboxed: boolean;
}

export interface BrowserOptions extends Chromium {
  /** Profile folder of this browser only. Its path also identifies a browser that a killed recorder left. */
  profile: string;
  width: number;
  height: number;
}

/**
 * Starts one browser with one window. It is attached to this process by a pipe, so it ends with the process, however that ends.
 * Playwright does not handle this process's signals, because a capture continues after SIGTERM.
 */
export async function launch({ path, isSandboxed, profile, width, height }: BrowserOptions): Promise<BrowserContext> {
  // 20 MB, which a recorder needs from its first capture.
  const { chromium } = await import('playwright-core');
  return chromium.launchPersistentContext(profile, {
    executablePath: path,
    chromiumSandbox: isSandboxed,
    args: ARGS,
    // A muted browser would record silence.
    ignoreDefaultArgs: ['--mute-audio'],
    viewport: { width, height },
    ...LAUNCH_DEFAULTS,
  });
}

/** Without `env`, Playwright would pass on this process's whole environment. */
const LAUNCH_DEFAULTS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false, env: childEnvironment() };

const CHECK_TIMEOUT_MS = 30_000;

/**
 * Runs Chromium alone, without Playwright.
 * @throws if this Chromium cannot be started or cannot record RECORDING_MIME_TYPE
 */
async function assertUsable({ path, isSandboxed }: Chromium): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'classroom-chromium-'));
  try {
    const script = `document.write(MediaRecorder.isTypeSupported(${JSON.stringify(RECORDING_MIME_TYPE)}))`;
    const args = ['--headless', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${profile}`, '--dump-dom'];
    if (!isSandboxed) args.push('--no-sandbox');
    const page = await runProgram(path, [...args, `data:text/html,<script>${script}</script>`], { timeoutMs: CHECK_TIMEOUT_MS });
    if (!page.includes('<body>true</body>')) throw new Error(`this Chromium can't record ${RECORDING_MIME_TYPE}`);
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

type Setting = RecorderConfig['CHROMIUM_SANDBOX'];

/**
 * Uses Chromium's own sandbox wherever it starts; otherwise Chromium runs without it, with a warning in the log. The sandbox needs user
 * namespaces: Chromium offers none to root, and a container's seccomp profile often forbids them.
 * @throws if Chromium cannot film, or with `on` if it cannot film in the sandbox
 */
export async function findSandbox(path: string, setting: Setting, isRoot = process.getuid?.() === 0): Promise<Chromium> {
  const sandboxed = { path, isSandboxed: true };
  let reason = setting === 'off' ? 'it is switched off' : 'Chromium has none for root';
  if (setting === 'on' || (setting === 'auto' && !isRoot)) {
    try {
      await assertUsable(sandboxed);
      return sandboxed;
    } catch (error) {
      if (setting === 'on') throw error;
      reason = 'Chromium does not start in it; the kernel or the container refuses user namespaces';
    }
  }
  const bare = { path, isSandboxed: false };
  await assertUsable(bare);
  logger.warn({ reason }, 'Chromium runs without its own sandbox: the container is the only isolation');
  return bare;
}
