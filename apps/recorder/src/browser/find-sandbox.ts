import { logger } from '@classroom/platform';
import type { RecorderConfig } from '../config.js';
import { assertUsable, type Chromium } from './chromium.js';

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
