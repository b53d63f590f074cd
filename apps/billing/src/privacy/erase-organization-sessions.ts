import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, OPTIONAL_CONSUMERS, type ErasureOutcome, type ErasureRequest } from '@classroom/contracts';
import { eraseOrganization, isReadThrough, JETSTREAM } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { MetersRepository } from '../metering/meters.repository.js';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { StaleCopiesRepository } from '../session-store/stale-copies.repository.js';

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

/** Erases everything of an organization but its ledger, when the charges of all its classes are final. */
@Injectable()
export class EraseOrganizationSessions {
  constructor(
    private readonly database: Database,
    private readonly meters: MetersRepository,
    private readonly sessions: SessionsRepository,
    private readonly ledger: LedgerRepository,
    private readonly stale: StaleCopiesRepository,
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
  ) {}

  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId } = request;
    if (!(await this.hasReadAll(request)) || (await this.meters.hasUnsettled(organizationId))) return { isComplete: false, counts: {} };
    // Marked before the rows are deleted, which cannot be seen afterwards.
    if (await this.sessions.hasAny(organizationId)) await this.database.transaction((tx) => this.stale.add(tx, organizationId, ['']));
    return eraseOrganization(this.database, request, { kept: KEPT, finish: (tx) => this.forgetRooms(tx, organizationId) });
  }

  private async hasReadAll({ readThrough }: ErasureRequest): Promise<boolean> {
    const { billingFold, billingAiUsage } = CONSUMERS;
    const consumers = [billingFold, billingAiUsage, ...(this.stale.isCopied ? [OPTIONAL_CONSUMERS.billingReports] : [])];
    const areRead = await Promise.all(consumers.map((consumer) => isReadThrough(this.jetstream, consumer, readThrough)));
    return !areRead.includes(false);
  }

  private async forgetRooms(tx: Transaction, organizationId: string): Promise<ErasureOutcome> {
    const counts = {
      'ids and titles of classes': await this.meters.forgetRooms(tx, organizationId),
      'ids of classes in the ledger': await this.ledger.forgetRooms(tx, organizationId),
    };
    return { isComplete: !(await this.stale.hasAny(tx, organizationId)), counts };
  }
}
