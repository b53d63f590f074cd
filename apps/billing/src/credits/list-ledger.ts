import { Injectable } from '@nestjs/common';
import { AppError, invalidField, listLedger, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { toLedgerEntry } from '../ledger/ledger-entry.js';
import { EnsureAccount } from '../plans/apply-plan.js';

const CURSOR = /^[0-9]{1,18}$/;

@Injectable()
export class ListLedger {
  constructor(
    private readonly entries: LedgerRepository,
    private readonly ensureAccount: EnsureAccount,
  ) {}

  @Handles(listLedger)
  async execute({ organizationId, cursor, limit, kind, roomId }: RpcInput<typeof listLedger>) {
    if (cursor !== undefined && !CURSOR.test(cursor)) throw invalidField('cursor', 'must be one that a page before gave');
    await this.ensureAccount.execute(organizationId).catch(ignoreMissingPlan);
    const before = cursor === undefined ? undefined : Number(cursor);
    const rows = await this.entries.page(organizationId, { before, kind, roomId }, limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      entries: page.map(toLedgerEntry),
      pagination: { nextCursor: last ? String(last.position) : null, hasMore: rows.length > limit },
    };
  }
}

/** The ledger of an organization without a plan is empty; that is not an error. */
function ignoreMissingPlan(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'ORGANIZATION_SETUP_INCOMPLETE') throw error;
}
