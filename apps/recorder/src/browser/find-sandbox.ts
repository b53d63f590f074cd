import { logger } from '@classroom/platform';
import type { RecorderConfig } from '../config.js';
import { canFilm, type Chromium } from './chromium.js';

type Setting = RecorderConfig['CHROMIUM_SANDBOX'];

/**
 * Chromium in its own sandbox wherever it starts there; without it, that is said. A sandbox needs user namespaces, which root
 * is refused by Chromium and a container often by its seccomp profile.
 * @throws where it can't film, or with `on` not in a sandbox
 */
export async function findSandbox(path: string, setting: Setting, isRoot = process.getuid?.() === 0): Promise<Chromium> {
  const sandboxed = { path, isSandboxed: true };
  let reason = setting === 'off' ? 'it is switched off' : 'Chromium has none for root';
  if (setting === 'on' || (setting === 'auto' && !isRoot)) {
    try {
      await canFilm(sandboxed);
      return sandboxed;
    } catch (error) {
      if (setting === 'on') throw error;
      reason = 'Chromium does not start in it; the kernel or the container refuses user namespaces';
    }
  }
  const bare = { path, isSandboxed: false };
  await canFilm(bare);
  logger.warn({ reason }, 'Chromium runs without its own sandbox: nothing but the container keeps in what it decodes');
  return bare;
}
