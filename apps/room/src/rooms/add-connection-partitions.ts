import { Injectable } from '@nestjs/common';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { RoomsRepository } from './rooms.repository.js';

const INTERVAL_MS = 3_600_000;

/** Adds the partitions of the coming months, so that creating a room does not wait for them. Several processes may do so. */
@Injectable()
export class AddConnectionPartitions {
  @InBackground() private readonly loop = new Loop('connection-partitions', INTERVAL_MS, () => this.execute());

  constructor(
    private readonly rooms: RoomsRepository,
    private readonly clock: Clock,
  ) {}

  private execute(): Promise<void> {
    return this.rooms.addPartitionsAhead(this.clock.now());
  }
}
