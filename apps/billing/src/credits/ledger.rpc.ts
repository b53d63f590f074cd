import { Controller } from '@nestjs/common';
import { AppError, billingRpc, invalidField, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { EnsureAccount } from '../plans/ensure-account.js';
import { toLedgerEntry } from '../ledger/entry.row.js';
import { ExplainEntry } from './explain-entry.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { PostCredits } from './post-credits.js';

const CURSOR = /^[0-9]{1,18}$/;

@Controller()
export class LedgerRpc {
  constructor(
    private readonly creditsPosting: PostCredits,
    private readonly explanation: ExplainEntry,
    private readonly entries: LedgerRepository,
    private readonly ensureAccount: EnsureAccount,
  ) {}

  @RpcHandler(billingRpc.postCredits)
  async postCredits(input: RpcInput<typeof billingRpc.postCredits>) {
    return this.creditsPosting.execute(input);
  }

  @RpcHandler(billingRpc.ledger)
  async ledger({ organizationId, cursor, limit }: RpcInput<typeof billingRpc.ledger>): Promise<RpcOutput<typeof billingRpc.ledger>> {
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

  @RpcHandler(billingRpc.explain)
  async explain(input: RpcInput<typeof billingRpc.explain>) {
    return this.explanation.execute(input);
  }
}

/** An organization without a plan has an empty ledger, not none. */
function ignoreMissingPlan(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'ORGANIZATION_SETUP_INCOMPLETE') throw error;
}
