import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import {
  CONSUMERS,
  erasureRpc,
  namedBy,
  OPTIONAL_CONSUMERS,
  type ErasureOutcome,
  type ErasureRequest,
  type PersonOrClass,
} from '@classroom/contracts';
import { applyErasure, eraseOrganization, Expiry, Handles, isReadThrough, JETSTREAM, type Holder } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { MetersRepository } from '../metering/meters.repository.js';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { StaleCopiesRepository } from '../reports/copies.repository.js';
import { SettledClassesRepository } from './exported.repository.js';

/** How far this service has read the facts of the others, into Postgres and, where it is used, into ClickHouse. */
@Injectable()
export class FactsProgress {
  constructor(
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
    private readonly stale: StaleCopiesRepository,
  ) {}

  /** Whether every fact up to this number is in this service's rows, or does not concern it. */
  async areReadThrough(sequence: number): Promise<boolean> {
    const { billingFold, billingAiUsage } = CONSUMERS;
    const consumers = [billingFold, billingAiUsage, ...(this.stale.isCopied ? [OPTIONAL_CONSUMERS.billingReports] : [])];
    const areRead = await Promise.all(consumers.map((consumer) => isReadThrough(this.jetstream, consumer, sequence)));
    return !areRead.includes(false);
  }
}

/** The ledger and what its sums are checked against, which name no person; classes are named by their sid afterwards. And what has to be deleted in ClickHouse. */
const KEPT = [
  'accounts',
  'ai_meters',
  'ai_usages',
  'cycle_sums',
  'ledger_audit',
  'ledger_checkpoints',
  'ledger_differences',
  'ledger_entries',
  'plans',
  'room_meters',
  'stale_copies',
  'statements',
];

/** The entries of a class are one for each of its minutes at most. */
const ROOMS_OF_BATCH = 50;

/** Erases everything of an organization but its ledger, when the charges of all its classes are final. */
@Injectable()
export class EraseOrganizationSessions {
  constructor(
    private readonly database: Database,
    private readonly meters: MetersRepository,
    private readonly sessions: SessionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly stale: StaleCopiesRepository,
    private readonly facts: FactsProgress,
  ) {}

  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId } = request;
    if (!(await this.facts.areReadThrough(request.readThrough)) || (await this.meters.hasUnsettled(organizationId)))
      return { isComplete: false, counts: {} };
    // Marked before the rows are deleted, which cannot be seen afterwards.
    if (await this.sessions.hasAny(organizationId)) await this.database.transaction((tx) => this.stale.add(tx, organizationId, ['']));
    return eraseOrganization(this.database, request, {
      kept: KEPT,
      steps: [(tx) => this.forgetRooms(tx, organizationId)],
      isDone: async (tx) => !(await this.stale.hasAny(tx, organizationId)),
    });
  }

  private async forgetRooms(tx: Transaction, organizationId: string): Promise<ErasureOutcome> {
    const sids = await this.meters.listNamed(tx, organizationId, ROOMS_OF_BATCH);
    const counts = {
      'ids of classes in the ledger': await this.ledger.forgetRooms(tx, organizationId, sids),
      'ids and titles of classes': await this.meters.forgetRooms(tx, organizationId, sids),
    };
    return { isComplete: sids.length < ROOMS_OF_BATCH, counts };
  }
}

/** Removes people from the sessions of classes whose charges are final, when all facts about these classes are read. Times and charges stay. */
@Injectable()
export class EraseFromSessions {
  constructor(
    private readonly erasure: EraseOrganizationSessions,
    private readonly database: Database,
    private readonly meters: MetersRepository,
    private readonly sessions: SessionsRepository,
    private readonly stale: StaleCopiesRepository,
    private readonly facts: FactsProgress,
  ) {}

  @Handles(erasureRpc.billing)
  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId, subject, readThrough } = request;
    if ('organization' in subject) return this.erasure.execute(request);
    if (!(await this.facts.areReadThrough(readThrough))) return { isComplete: false, counts: {} };
    return applyErasure(this.database, request, (tx) => this.erase(tx, organizationId, subject));
  }

  private async erase(tx: Transaction, organizationId: string, subject: PersonOrClass): Promise<ErasureOutcome> {
    const { uid, roomId } = namedBy(subject);
    const classes = await this.meters.listErasable(tx, organizationId, uid, roomId);
    const sids = classes.filter(({ isOver }) => isOver).map(({ sid }) => sid);
    const counts = {
      sessions: await this.sessions.erase(tx, organizationId, sids, uid),
      'class titles': uid === null ? await this.meters.forgetTitles(tx, sids) : 0,
    };
    if (counts.sessions > 0) await this.stale.add(tx, organizationId, sids);
    return { isComplete: sids.length === classes.length && !(await this.stale.hasAny(tx, organizationId)), counts };
  }
}

/** Sessions become old with their class, from its final charge. */
@Injectable()
abstract class SessionExpiry extends Expiry {
  constructor(
    database: Database,
    private readonly classes: SettledClassesRepository,
    protected readonly sessions: SessionsRepository,
    private readonly stale: StaleCopiesRepository,
  ) {
    super(database);
  }

  protected find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.classes.find(organizationId, after, before, limit);
  }

  protected async erase(tx: Transaction, organizationId: string, sids: string[]): Promise<number> {
    const erased = await this.change(tx, organizationId, sids);
    if (erased > 0) await this.stale.add(tx, organizationId, sids);
    return erased;
  }

  protected abstract change(tx: Transaction, organizationId: string, sids: string[]): Promise<number>;
}

@Injectable()
export class AddressExpiry extends SessionExpiry {
  readonly dataClass = 'addresses';

  protected change(tx: Transaction, organizationId: string, sids: string[]): Promise<number> {
    return this.sessions.clearAddresses(tx, organizationId, sids);
  }
}

@Injectable()
export class PresenceExpiry extends SessionExpiry {
  readonly dataClass = 'presence';

  protected change(tx: Transaction, organizationId: string, sids: string[]): Promise<number> {
    return this.sessions.pseudonymize(tx, organizationId, sids);
  }
}
