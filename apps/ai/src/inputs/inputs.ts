import { Injectable } from '@nestjs/common';
import { AI_INPUT_LIMIT, AppError, invalidField } from '@classroom/contracts';
import { logger, Clock, InBackground, Loop } from '@classroom/platform';
import { tenantOf, ObjectStorage } from '@classroom/storage';

const INPUTS_PREFIX = 'ai-inputs/';

export const isOwnKey = (organizationId: string, key: string) => key.startsWith(`${INPUTS_PREFIX}${tenantOf(organizationId)}/`);

/** Audio and pictures that are too large for a message. They wait in the object storage; taking one deletes it. */
@Injectable()
export class Inputs {
  constructor(private readonly storage: ObjectStorage) {}

  /**
   * @param field the caller's name for the input, used in errors
   * @throws AppError VALIDATION_FAILED (another organization's input, or already taken), PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
   */
  async take(organizationId: string, key: string, field: 'audio' | 'image'): Promise<Buffer> {
    if (!isOwnKey(organizationId, key)) throw invalidField(field, 'is not known');
    try {
      return await this.read(key);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw invalidField(field, 'is not there any more', error);
      throw error;
    } finally {
      // The deletion runs in the background; the sweep removes what it misses.
      this.storage.delete(key).catch((error: unknown) => logger.warn({ err: error }, 'input could not be deleted'));
    }
  }

  private async read(key: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of (await this.storage.read(key)) as AsyncIterable<Buffer>) {
      size += part.length;
      // Leaving the loop destroys the stream.
      if (size > AI_INPUT_LIMIT) throw new AppError('PAYLOAD_TOO_LARGE');
      parts.push(part);
    }
    return Buffer.concat(parts);
  }
}

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
