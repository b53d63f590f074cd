import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import type { NewEntry } from '../ledger/ledger.repository.js';
import { agreesWithRoom, chargeFor, isAwaitingFacts } from './charge.js';
import type { DueMeter } from './due-meters.repository.js';
import { MetersRepository } from './meters.repository.js';

/** Milliseconds after which a meter is due again while facts of its finished room are missing, or while a cycle is about to close. */
const RETRY_DELAY_MS = 5_000;

/** Turns meter readings into charges. */
@Injectable()
export class ChargeMeters {
  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly meters: MetersRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Records on the meters what they owe, and when they are due next. The meters must be locked by `tx`.
   * @returns the entries by organization, which `tx` must post. Only that needs the locks of the balances.
   */
  async execute(tx: Transaction, readings: readonly DueMeter[]): Promise<ReadonlyMap<string, NewEntry[]>> {
    const meters = readings.map((reading) => ({ ...reading, charge: this.chargeOf(reading), ...this.nextState(reading) }));
    if (meters.length > 0) await this.meters.saveCharges(tx, meters);
    return Map.groupBy(
      meters.flatMap(({ charge }) => charge ?? []),
      ({ organizationId }) => organizationId,
    );
  }

  private chargeOf(reading: DueMeter) {
    const charge = chargeFor(reading);
    const { organizationId, chargedThrough } = reading;
    return charge && { ...charge, organizationId, chargedThrough, entryId: randomUUID() };
  }

  private nextState(reading: DueMeter): { dueAt: Date | null; settledAt: Date | null } {
    const now = this.clock.now();
    const after = (ms: number) => new Date(now.getTime() + ms);
    if (reading.isPartial || isAwaitingFacts(reading)) return { dueAt: after(RETRY_DELAY_MS), settledAt: null };
    if (reading.isFinished) return { dueAt: null, settledAt: agreesWithRoom(reading) ? now : null };
    // An empty room is due again with the next join.
    return { dueAt: reading.hasOpen ? after(this.config.ROLLUP_SECONDS * 1000) : null, settledAt: null };
  }
}
