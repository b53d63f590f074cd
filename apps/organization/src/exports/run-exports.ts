import { Injectable } from '@nestjs/common';
import { Clock, failpoint, InBackground, logger, Loop, type Task } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { keyOf } from './export-keys.js';
import { ExportsRepository, type ExportAttempt } from './exports.repository.js';
import { SERVICES } from './to-export.js';
import { WriteExport } from './write-export.js';

const INTERVAL_MS = 1_000;
/** Exports that one process makes at the same time. Each needs about 40 MB of memory. */
const PARALLEL = 2;
/** An attempt that was not renewed for this time is replaced: its worker is dead. */
const LEASE_MS = 15_000;
const RENEW_MS = 3_000;
/** A failed attempt is followed by another one after this time. */
const RETRY_MS = 10_000;
const KEPT_MS = 7 * 86_400_000;

class Ended extends Error {
  override readonly name = 'Ended';
}

/**
 * Makes the files of exports. An attempt holds its row by a lease; a worker that was killed is replaced, and the file is made again. Only the
 * attempt that completes the row names the file that is offered.
 */
@Injectable()
@InBackground()
export class RunExports implements Task {
  private readonly loop = new Loop('exports', INTERVAL_MS, () => this.run());
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly exports: ExportsRepository,
    private readonly writeExport: WriteExport,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.loop.start();
  }

  /** Attempts in progress end, and are due at once for other processes. */
  async stop(): Promise<void> {
    this.stopping.abort(new Ended('the process stops'));
    await this.loop.stop();
    await Promise.all(this.running);
  }

  private async run(): Promise<void> {
    const free = PARALLEL - this.running.size;
    if (free <= 0) return;
    for (const attempt of await this.exports.claimDue(this.clock.wall(), this.later(LEASE_MS), free)) {
      const work = this.attempt(attempt).finally(() => this.running.delete(work));
      this.running.add(work);
    }
  }

  /** Never rejects. */
  private async attempt(attempt: ExportAttempt): Promise<void> {
    const { exportId, organizationId } = attempt;
    const waitingFor = new Set(SERVICES);
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, this.stopping.signal]);
    let heldUntil = performance.now() + LEASE_MS;
    const lease = new Loop('export-leases', RENEW_MS, async () => {
      const until = performance.now() + LEASE_MS;
      if (performance.now() > heldUntil) return ended.abort(new Ended('the lease has expired'));
      if (!(await this.exports.renew(attempt, this.later(LEASE_MS), [...waitingFor])))
        return ended.abort(new Ended('another attempt began'));
      heldUntil = until;
    });
    lease.start();
    try {
      const file = await this.writeExport.execute(attempt, signal, (service) => {
        waitingFor.delete(service);
        lease.wake();
      });
      await failpoint('organization.export.before-commit');
      const completedAt = this.clock.now();
      if (!(await this.exports.complete(attempt, completedAt, new Date(completedAt.getTime() + KEPT_MS), file))) {
        await this.storage.delete(keyOf(attempt));
        return;
      }
      logger.info({ exportId, organizationId, bytes: file.bytes }, 'export completed');
    } catch (error) {
      const isStopping = this.stopping.signal.aborted;
      if (!isStopping) logger.warn({ err: error, exportId }, 'an export could not be completed; will retry');
      await this.exports
        .renew(attempt, this.later(isStopping ? 0 : RETRY_MS), SERVICES)
        .catch((cause: unknown) => logger.warn({ err: cause, exportId }, 'an export is retried when its lease has expired'));
    } finally {
      await lease.stop();
    }
  }

  private later(ms: number): Date {
    return new Date(this.clock.wall().getTime() + ms);
  }
}
