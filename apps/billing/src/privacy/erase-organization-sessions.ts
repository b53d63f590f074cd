import { Injectable } from '@nestjs/common';
import type { ErasureOutcome, ErasureRequest } from '@classroom/contracts';
import { eraseOrganization } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { MetersRepository } from '../metering/meters.repository.js';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { StaleCopiesRepository } from '../reports/stale-copies.repository.js';
import { FactsProgress } from './facts-progress.js';

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
