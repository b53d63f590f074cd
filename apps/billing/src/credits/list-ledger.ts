import { Injectable } from '@nestjs/common';
import { AppError, invalidField, listLedger, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { toLedgerEntry } from '../ledger/entry.row.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { EnsureAccount } from '../plans/ensure-account.js';

const CURSOR = /^[0-9]{1,18}$/;

@Injectable()
export class ListLedger {
  constructor(
    private readonly entries: LedgerRepository,
    private readonly ensureAccount: EnsureAccount,
  ) {}

  @Handles(listLedger)
  async execute({ organizationId, cursor, limit }: RpcInput<typeof listLedger>) {
    if (cursor !== undefined && !CURSOR.test(cursor)) throw invalidField('cursor', 'must be one that a page before gave');
    await this.ensureAccount.execute(organizationId).catch(ignoreMissingPlan);
    const rows = await this.entries.page(organizationId, cursor, limit + 1);
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      entries: page.map(toLedgerEntry),
      pagination: { nextCursor: hasMore ? (page.at(-1)?.position ?? null) : null, hasMore },
    };
  }
}

/** An organization without a plan has an empty ledger, not none. */
function ignoreMissingPlan(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'ORGANIZATION_SETUP_INCOMPLETE') throw error;
}
