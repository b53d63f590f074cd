import { Inject, Injectable } from '@nestjs/common';
import { Clock, failpoint, inSpan, logger } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { CaptureFolder } from '../state/capture-folder.js';

/** How long a failed upload is retried. */
const TIMEOUT_MS = 10 * 60_000;
const INITIAL_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** Uploads a finished file to the bucket. */
@Injectable()
export class FileUploader {
  constructor(
    private readonly storage: ObjectStorage,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** False if the storage did not accept the file within ten minutes. @throws the signal's reason */
  async upload({ job, filePath }: CaptureFolder, signal: AbortSignal): Promise<boolean> {
    const deadline = this.clock.wall().getTime() + TIMEOUT_MS;
    for (let delayMs = INITIAL_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        await failpoint('recorder.upload');
        await inSpan('upload recording', {}, () =>
          this.storage.upload(job.objectKey, { file: filePath }, { contentType: job.audioOnly ? 'audio/mp4' : 'video/mp4', signal }),
        );
        return true;
      } catch (error) {
        signal.throwIfAborted();
        logger.warn({ err: error, egressId: job.egressId }, 'recording upload failed; will retry');
      }
      if (this.clock.wall().getTime() + delayMs > deadline) return false;
      await delay(delayMs, signal);
    }
  }
}

/** @throws the signal's reason */
async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
  signal.throwIfAborted();
}
