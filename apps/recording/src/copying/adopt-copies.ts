import { Injectable } from '@nestjs/common';
import { Clock, InBackground, logger, Loop } from '@classroom/platform';
import { CopiesRepository } from '../copies/copies.repository.js';

const INTERVAL_MS = 30_000;
const BATCH = 500;
const AGE_MS = 7 * 24 * 3_600_000;

/**
 * Requests copies that are missing: a recording was completed by a process of the previous release, or at the moment at which its organization
 * set the bucket.
 */
@Injectable()
export class AdoptCopies {
  @InBackground() private readonly loop = new Loop('missing-copies', INTERVAL_MS, () => this.run());

  constructor(
    private readonly copies: CopiesRepository,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const now = this.clock.now();
    const requested = await this.copies.adopt(now, new Date(now.getTime() - AGE_MS), BATCH);
    if (requested > 0) logger.info({ requested }, 'missing copies of recordings requested');
  }
}
