import { Injectable } from '@nestjs/common';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { INPUTS_PREFIX } from './input-keys.js';

const INTERVAL_MS = 600_000;
/** Milliseconds that an unused input is kept: far longer than a turn waits for its chat. */
const RETENTION_MS = 3_600_000;

/** Removes inputs that no turn took, because the turn was rejected or its process died. */
@Injectable()
export class InputsSweep {
  @InBackground() private readonly loop = new Loop('ai-inputs-sweep', INTERVAL_MS, () => this.run().then(() => undefined));

  constructor(
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** @returns the number of removed inputs */
  async run(): Promise<number> {
    // The storage reports real times; only in tests does the domain clock run ahead of them.
    const before = this.clock.now().getTime() - RETENTION_MS;
    let removed = 0;
    for await (const { key, lastModified } of this.storage.list(INPUTS_PREFIX)) {
      if (lastModified.getTime() >= before) continue;
      await this.storage.delete(key);
      removed += 1;
    }
    return removed;
  }
}
