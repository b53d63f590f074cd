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

/** Posts the charges for a batch of meter readings of one organization, with one insert into the ledger and one update of the account. */
@Injectable()
export class ChargeMeters {
  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly meters: MetersRepository,
    private readonly postEntries: PostEntries,
    private readonly clock: Clock,
  ) {}

  /**
   * @param isPartial the readings end at a cycle's end or a plan's end, not at the end of the room: nothing is settled, and finished rooms
   * are charged without waiting for missing facts
   */
  async execute(tx: Transaction, account: AccountEntity, readings: readonly DueMeter[], isPartial: boolean): Promise<void> {
    const charges = readings.map((reading) => ({
      reading,
      charge: chargeFor(isPartial ? { ...reading, isFinished: false } : reading),
    }));
    const posted = charges.filter(isCharged);
    const entryIds = await this.postEntries.execute(tx, account, posted.map(toEntry));
    const idOf = new Map(posted.map(({ reading }, index) => [reading.sid, entryIds[index]]));
    await this.meters.saveCharges(
      tx,
      charges.map(({ reading, charge }) => ({
        sid: reading.sid,
        charge,
        entryId: idOf.get(reading.sid),
        ...this.nextState(reading, isPartial),
      })),
    );
  }

  private nextState(reading: DueMeter, isPartial: boolean): { dueAt: Date | null; settledAt: Date | null } {
    const now = this.clock.now();
    const soon = new Date(now.getTime() + RETRY_DELAY_MS);
    if (isPartial || isAwaitingFacts(reading)) return { dueAt: soon, settledAt: null };
    if (reading.isFinished) return { dueAt: null, settledAt: agreesWithRoom(reading) ? now : null };
    // The room is empty: the next join makes it due again.
    if (!reading.hasOpen) return { dueAt: null, settledAt: null };
    return { dueAt: new Date(now.getTime() + this.config.ROLLUP_SECONDS * 1000), settledAt: null };
  }
}

type Charged = { reading: DueMeter; charge: Charge };
const isCharged = (one: { reading: DueMeter; charge: Charge | undefined }): one is Charged => one.charge !== undefined;

const toEntry = ({ reading, charge }: Charged) => ({ ...charge, chargedThrough: reading.chargedThrough });
