import { Inject, Injectable } from '@nestjs/common';
import { Clock, failpoint, logger } from '@classroom/platform';
import type { MergeJob } from '@classroom/contracts';
import { FileUploader } from '../encoding/file-uploader.js';
import { FileMerger, Mp4Muxer } from '../encoding/make-file.js';
import type { CaptureFolder } from '../state/capture-folder.js';
import { killLeftoverProcesses } from '../state/process-identity.js';
import { conclude } from '../state/progress.js';
import { EgressEventPublisher } from './egress-event-publisher.js';

/** Everything after filming, up to the removal of the folder; also for folders that another recorder left. */
@Injectable()
export class Completion {
  constructor(
    private readonly eventPublisher: EgressEventPublisher,
    private readonly merger: FileMerger,
    private readonly muxer: Mp4Muxer,
    private readonly uploader: FileUploader,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Uses a core for some seconds. It is the last step for which a capture holds its slot. */
  async makeFile(folder: CaptureFolder): Promise<void> {
    const { outcome, error, file } = folder.progress;
    if (file || outcome === 'FAILED' || outcome === 'ABORTED') return;
    if ('parts' in folder.job) return this.merge(folder, folder.job);
    const media = await folder.capturedMedia();
    if (!media?.bytes) {
      await folder.update({ outcome: 'FAILED', error: `${error ?? 'the recording ended'}; nothing of it was captured` });
      return;
    }
    try {
      await folder.update({ file: await this.muxer.mux(folder), gaveUp: undefined });
    } catch (cause) {
      logger.error({ err: cause, egressId: folder.job.egressId }, 'video file could not be written');
      await folder.update({ gaveUp: { at: this.now(), reason: 'captured media could not be written to a file' } });
    }
  }

  /** A failed merge is not tried again: its parts are files already, and another merge can be requested. */
  private async merge(folder: CaptureFolder, { parts, egressId, endedAt }: MergeJob): Promise<void> {
    try {
      await folder.update({ file: await this.merger.merge(folder, parts), endedAt: Date.parse(endedAt) });
    } catch (cause) {
      logger.error({ err: cause, egressId }, 'files could not be merged');
      await folder.update({ outcome: 'FAILED', error: 'the files could not be merged' });
    }
  }

  /** Uploads the file. Resolves when the event of the capture's end is on disk. @throws the signal's reason */
  async deliver(folder: CaptureFolder, signal: AbortSignal): Promise<void> {
    const { file, gaveUp, saidEndAt } = folder.progress;
    if (saidEndAt !== undefined && !gaveUp) return;
    if (file) {
      await failpoint('recorder.file-made');
      const isThere = await this.uploader.upload(folder, signal);
      await folder.update({ gaveUp: isThere ? undefined : { at: this.now(), reason: 'the file could not be uploaded' } });
    }
    if (saidEndAt !== undefined && folder.progress.gaveUp) return;
    await this.eventPublisher.publish(saidEndAt === undefined ? 'ended' : 'delivered', folder);
    await folder.update({ saidEndAt: this.now() });
  }

  /** Resolves when all events are acknowledged and the folder is removed, or kept for another attempt. */
  async clear(folder: CaptureFolder): Promise<void> {
    await this.eventPublisher.flushed(folder);
    if (!folder.progress.gaveUp) await folder.remove();
  }

  private now(): number {
    return this.clock.wall().getTime();
  }
}

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
