import { Inject, Injectable } from '@nestjs/common';
import { Clock, failpoint, inSpan, logger } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { CaptureFolder } from '../state/capture-folder.js';

/** How long a failed upload is retried. */
const PATIENCE_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Uploads a finished file to the bucket. */
@Injectable()
export class FileDelivery {
  constructor(
    private readonly storage: ObjectStorage,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** False if the storage did not accept the file within ten minutes. @throws the signal's reason */
  async deliver({ job, file }: CaptureFolder, signal: AbortSignal): Promise<boolean> {
    const until = this.clock.wall().getTime() + PATIENCE_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await failpoint('recorder.upload');
        await inSpan('upload recording', {}, () => this.storage.upload(job.objectKey, { file }, { contentType: 'video/mp4', signal }));
        return true;
      } catch (error) {
        signal.throwIfAborted();
        logger.warn({ err: error, egressId: job.egressId }, 'recording upload failed; will retry');
      }
      if (this.clock.wall().getTime() + pause > until) return false;
      await passed(pause, signal);
    }
  }
}

/** @throws the signal's reason */
async function passed(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
  signal.throwIfAborted();
}
