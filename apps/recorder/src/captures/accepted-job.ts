import { toEgressInfo } from '../state/egress-event.js';
import type { CaptureFolder } from '../state/capture-folder.js';
import type { End } from '../state/progress.js';

/** A job that this recorder has accepted, or took over. One that has nothing to film cannot be ended early. */
export class AcceptedJob {
  /** The file is uploaded, or never will be, and the event of the end is on disk. */
  isOver = false;

  constructor(readonly folder: CaptureFolder) {}

  describe() {
    return toEgressInfo(this.folder.job, this.folder.progress, Date.now(), this.isOver);
  }

  end(_: End): void {
    // Only a capture ends before its file is made.
  }

  /** Resolves when the folder contains everything that the file is made of. */
  async finish(): Promise<void> {
    // Only a capture has to be ended.
  }
}
