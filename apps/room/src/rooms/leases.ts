import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '@classroom/platform';
import { LeasesRepository } from './leases.repository.js';

/** Gives a task to one process at a time. If that process dies, another takes over after `ttlMs` milliseconds. */
@Injectable()
export class Leases {
  private readonly holder = randomUUID();

  constructor(
    private readonly leases: LeasesRepository,
    private readonly clock: Clock,
  ) {}

  async hold(name: string, ttlMs: number): Promise<boolean> {
    const now = this.clock.wall();
    return this.leases.take({ name, holder: this.holder, expiresAt: new Date(now.getTime() + ttlMs) }, now);
  }

  async release(name: string): Promise<void> {
    await this.leases.release(name, this.holder);
  }
}
