import { Injectable } from '@nestjs/common';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { SessionsRepository } from '../metering/sessions.repository.js';

const INTERVAL_MS = 3_600_000;

/** Adds the partitions of the coming months, so that folding does not wait for them. Several processes may do so. */
@Injectable()
export class AddSessionPartitions {
  @InBackground() private readonly loop = new Loop('session-partitions', INTERVAL_MS, () => this.execute());

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
  ) {}

  private execute(): Promise<void> {
    return this.sessions.addPartitionsAhead(this.clock.now());
  }
}
