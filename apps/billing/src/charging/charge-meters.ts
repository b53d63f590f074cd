import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { AccountEntity } from '../schema/account.entity.js';
import type { BillingConfig } from '../config.js';
import { PostEntries } from '../ledger/post-entries.js';
import { agreesWithRoom, chargeFor, isAwaitingFacts, type Charge } from '../metering/charge.js';
import type { DueMeter } from '../metering/due-meters.repository.js';
import { MetersRepository } from '../metering/meters.repository.js';

/** Milliseconds after which a meter is due again while facts of its finished room are missing, or while a cycle is about to close. */
const RETRY_DELAY_MS = 5_000;

/** Meter readings of one organization. */
export interface AccountReadings {
  account: AccountEntity;
  readings: readonly DueMeter[];
  /**
   * The readings end at a cycle's end or a plan's end, not at the end of the room: nothing is settled, and finished rooms are charged without
   * waiting for missing facts.
   */
  isPartial: boolean;
  /** Credits that live-charges.repository.ts has posted. */
  posted?: number;
}

/** Posts the charges for meter readings of many organizations, with one insert into the ledger and one update of the accounts. */
@Injectable()
export class ChargeMeters {
  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly meters: MetersRepository,
    private readonly postEntries: PostEntries,
    private readonly clock: Clock,
  ) {}

  /** `tx` must hold the locks of the balances and of the meters. */
  async execute(tx: Transaction, all: readonly AccountReadings[]): Promise<void> {
    const charged = all.map(({ account, readings, isPartial, posted = 0 }) => ({
      account,
      posted,
      charges: readings.map((reading) => ({
        reading,
        charge: chargeFor(isPartial ? { ...reading, isFinished: false } : reading),
        ...this.nextState(reading, isPartial),
      })),
    }));
    const postings = charged.map(({ account, charges, posted }) => ({
      account,
      entries: charges.filter(isCharged).map(toEntry),
      inserted: posted,
    }));
    const entries = await this.postEntries.executeAll(tx, postings);
    const idOf = new Map(entries.map(({ sid, entryId }) => [sid, entryId]));
    const meters = charged.flatMap(({ charges }) => charges);
    if (meters.length === 0) return;
    await this.meters.saveCharges(
      tx,
      meters.map(({ reading: { sid }, ...meter }) => ({ sid, entryId: idOf.get(sid), ...meter })),
    );
  }

  /** When the meter of a live room is due again. */
  nextRollUp(): Date {
    return new Date(this.clock.now().getTime() + this.config.ROLLUP_SECONDS * 1000);
  }

  private nextState(reading: DueMeter, isPartial: boolean): { dueAt: Date | null; settledAt: Date | null } {
    const now = this.clock.now();
    const soon = new Date(now.getTime() + RETRY_DELAY_MS);
    if (isPartial || isAwaitingFacts(reading)) return { dueAt: soon, settledAt: null };
    if (reading.isFinished) return { dueAt: null, settledAt: agreesWithRoom(reading) ? now : null };
    // The room is empty: the next join makes it due again.
    if (!reading.hasOpen) return { dueAt: null, settledAt: null };
    return { dueAt: this.nextRollUp(), settledAt: null };
  }
}

const isCharged = <T extends { charge: Charge | undefined }>(one: T): one is T & { charge: Charge } => one.charge !== undefined;

const toEntry = ({ reading, charge }: { reading: DueMeter; charge: Charge }) => ({ ...charge, chargedThrough: reading.chargedThrough });
