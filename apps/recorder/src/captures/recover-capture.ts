import { logger } from '@classroom/platform';
import type { EgressEventPublisher } from './egress-event-publisher.js';
import type { CaptureFolder } from '../state/capture-folder.js';
import { killLeftoverProcesses } from '../state/process-identity.js';
import { conclude } from '../state/progress.js';

/** After this time the capture is dropped, because recordings are kept for hours, not days. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/** Brings the folder of a dead recorder to the state that it would have after filming. False if the recording is dropped. */
export async function recoverCapture(folder: CaptureFolder, eventPublisher: EgressEventPublisher, now: number): Promise<boolean> {
  const { egressId } = folder.job;
  const ended = await killLeftoverProcesses(folder.path);
  const { outcome, activeAt, gaveUp } = folder.progress;
  if (gaveUp && now - gaveUp.at > GIVE_UP_AFTER_MS) {
    logger.error({ egressId, reason: gaveUp.reason }, 'recording dropped: could not be completed for a day');
    await folder.remove();
    return false;
  }
  if (outcome === undefined) {
    const media = await folder.capturedMedia();
    const until = media?.bytes ? media.until : (activeAt ?? now);
    await folder.update(conclude(folder.progress, { cause: 'broken', reason: 'the recorder ended unexpectedly' }, until));
    if (activeAt !== undefined) await eventPublisher.publish('ending', folder);
  }
  logger.warn({ egressId, outcome: folder.progress.outcome, ended }, 'completing a capture that another recorder left');
  return true;
}
