import { Inject, Injectable } from '@nestjs/common';
import {
  CONSUMERS,
  organizationUpdated,
  participantConnection,
  roomCheckpoint,
  roomCorrected,
  roomCreated,
  roomFinished,
  roomStarted,
  roomUpdated,
  type EventContract,
  type EventData,
  type EventEnvelope,
} from '@classroom/contracts';
import { Consumes, type AcceptOnce } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG, failpoint } from '@classroom/platform';
import { ApplyPlan } from '../plans/apply-plan.js';
import type { BillingConfig } from '../config.js';
import { MetersRepository } from '../metering/meters.repository.js';
import { SessionsRepository } from '../metering/sessions.repository.js';

/** Maximum number of facts applied in parallel. The facts of one subject are applied in the order of their arrival. */
const CONCURRENCY = 8;

/**
 * Applies facts to sessions, meters and accounts, in whatever order they arrive. Inbox and effect share one transaction.
 *
 * A checkpoint gets no row in the inbox, because every class produces one every 15 s and they would be most of its rows. A checkpoint
 * replaces the earlier one as a whole, and changes nothing if the meter is already verified that far. A repeated or late checkpoint
 * therefore has no effect.
 */
@Injectable()
export class FoldEvents {
  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly database: Database,
    private readonly sessions: SessionsRepository,
    private readonly meters: MetersRepository,
    private readonly applyPlan: ApplyPlan,
    private readonly clock: Clock,
  ) {}

  @Consumes<EventEnvelope>(CONSUMERS.billingFold, { concurrency: CONCURRENCY, keyOf: ({ subject }) => subject })
  async execute(event: EventEnvelope, acceptOnce: AcceptOnce): Promise<void> {
    await failpoint('billing.fold.before-transaction');
    if (is(event, organizationUpdated)) await this.applyPlan.prepare(event.data);
    await this.database.transaction(async (tx) => {
      if (!is(event, roomCheckpoint) && !(await acceptOnce(tx, event.id))) return;
      await this.apply(tx, event);
      await failpoint('billing.fold.before-commit');
    });
    await failpoint('billing.fold.after-commit');
  }

  private async apply(tx: Transaction, event: EventEnvelope): Promise<void> {
    if (is(event, participantConnection)) return this.applyConnections(tx, [event.data]);
    if (is(event, roomCheckpoint)) return this.applyCheckpoint(tx, event.data);
    if (is(event, roomFinished)) return this.applyFinished(tx, event.data);
    if (is(event, roomCorrected)) return this.applyCorrected(tx, event.data);
    if (is(event, roomCreated) || is(event, roomStarted) || is(event, roomUpdated)) {
      await this.meters.lock(tx, event.data);
      return this.meters.setTitle(tx, event.data.sid, event.data.title);
    }
    if (is(event, organizationUpdated)) await this.applyPlan.execute(tx, event.data);
  }

  /** Applies connections of one room, from events or from the catch-up. */
  async applyConnections(tx: Transaction, connections: readonly EventData<typeof participantConnection>[]): Promise<void> {
    const [first] = connections;
    if (!first) return;
    await this.meters.lock(tx, first);
    await this.sessions.upsert(tx, connections);
    const version = Math.max(...connections.map((connection) => connection.version));
    const joinedAt = connections.map((connection) => connection.joinedAt).reduce((a, b) => (a < b ? a : b));
    await this.meters.advanceVersion(tx, first.sid, version, joinedAt, this.nextRollup(), this.clock.now());
  }

  private async applyCheckpoint(tx: Transaction, data: EventData<typeof roomCheckpoint>): Promise<void> {
    await this.meters.lock(tx, data);
    const unseen = secondsOf(data.unseen.map(({ connectionSid, seenAt }) => [connectionSid, seenAt]));
    await this.meters.recordCheckpoint(tx, data.sid, data.verifiedAt, unseen, this.nextRollup());
  }

  private async applyFinished(tx: Transaction, data: EventData<typeof roomFinished>): Promise<void> {
    await this.meters.lock(tx, data);
    await this.meters.setTitle(tx, data.sid, data.title);
    await this.meters.recordTotals(tx, data.sid, data, this.clock.now());
  }

  private async applyCorrected(tx: Transaction, data: EventData<typeof roomCorrected>): Promise<void> {
    await this.meters.lock(tx, data);
    await this.meters.recordCorrection(tx, data.sid, data, this.clock.now());
  }

  private nextRollup(): Date {
    return new Date(this.clock.now().getTime() + this.config.ROLLUP_SECONDS * 1000);
  }
}

/** Narrows an event to a contract's type. The data is not validated, because only our own services publish facts. */
function is<C extends EventContract>(event: EventEnvelope, contract: C): event is EventEnvelope<EventData<C>> {
  return event.type === contract.type;
}

const secondsOf = (instants: [string, string][]) =>
  Object.fromEntries(instants.map(([key, instant]) => [key, Math.floor(Date.parse(instant) / 1000)]));
