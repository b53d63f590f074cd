import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type ErasureOutcome, type ErasureRequest } from '@classroom/contracts';
import { eraseOrganization, isReadThrough, JETSTREAM } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { MetersRepository } from '../metering/meters.repository.js';

/** The ledger and what its sums are checked against. It names no person; classes are named by their sid afterwards. */
const LEDGER = [
  'accounts',
  'ai_meters',
  'cycle_sums',
  'ledger_audit',
  'ledger_checkpoints',
  'ledger_differences',
  'ledger_entries',
  'plans',
  'room_meters',
  'statements',
];

/** Erases everything of an organization but its ledger, when the charges of all its classes are final. */
@Injectable()
export class EraseOrganizationSessions {
  constructor(
    private readonly database: Database,
    private readonly meters: MetersRepository,
    private readonly ledger: LedgerRepository,
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
  ) {}

  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId, readThrough } = request;
    const consumers = [CONSUMERS.billingFold, CONSUMERS.billingAiUsage];
    const areRead = await Promise.all(consumers.map((consumer) => isReadThrough(this.jetstream, consumer, readThrough)));
    if (areRead.includes(false) || (await this.meters.hasUnsettled(organizationId))) return { isComplete: false, counts: {} };
    return eraseOrganization(this.database, request, { kept: LEDGER, finish: (tx) => this.forgetRooms(tx, organizationId) });
  }

  private async forgetRooms(tx: Transaction, organizationId: string): Promise<ErasureOutcome['counts']> {
    const meters = await this.meters.forgetRooms(tx, organizationId);
    return { 'ids and titles of classes': meters, 'ids of classes in the ledger': await this.ledger.forgetRooms(tx, organizationId) };
  }
}
