import { Injectable } from '@nestjs/common';
import { AppError, type billingRpc, type RpcOutput } from '@classroom/contracts';
import { fitMessage } from '@classroom/messaging';
import { cursorOf } from '@classroom/persistence';
import { z } from 'zod';
import { signedCredits, toLedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { AiUsagesRepository, type ListedAiUsage } from '../metering/ai-usage.repository.js';
import type { LedgerEntryEntity } from '../schema/ledger-entry.entity.js';

const PAGE_SIZE = 1_000;
/** `total` of the last usage of a page. */
const cursors = cursorOf(z.string().regex(/^\d{1,15}\.\d{9}$/));

/** Recomputes a charge of AI usage from what was metered. */
@Injectable()
export class ExplainAiUsage {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly usages: AiUsagesRepository,
  ) {}

  /** @throws AppError NOT_FOUND if the usage is not known, VALIDATION_FAILED */
  async execute(
    entry: LedgerEntryEntity & { aiSequence: number },
    cursor: string | undefined,
  ): Promise<RpcOutput<typeof billingRpc.explain>> {
    const { organizationId, aiSequence } = entry;
    const after = cursor === undefined ? undefined : cursors.decode(cursor);
    const [rows, total, chargedBefore] = await Promise.all([
      this.usages.list(organizationId, aiSequence, after, PAGE_SIZE),
      this.usages.sumThrough(organizationId, aiSequence),
      this.ledger.sumAiChargedBefore(organizationId, aiSequence),
    ]);
    if (!total) throw new AppError('NOT_FOUND', { message: 'The usage behind this entry was not recorded' });
    const all = rows.map(toAiUsage);
    const aiUsage = fitMessage(all);
    return {
      entry: toLedgerEntry(entry),
      totalSeconds: 0,
      totalCredits: total.credits,
      chargedBefore,
      isConsistent: total.isComplete && total.credits === chargedBefore - signedCredits(entry),
      sessions: [],
      aiUsage,
      nextCursor: nextCursor(rows, aiUsage.length),
    };
  }
}

function nextCursor(rows: readonly ListedAiUsage[], taken: number): string | null {
  const last = rows[taken - 1];
  return !last || (taken === rows.length && rows.length < PAGE_SIZE) ? null : cursors.encode(last.total);
}

const toAiUsage = ({ total: _, credits, usedAt, ...usage }: ListedAiUsage) => ({
  ...usage,
  credits: Number(credits),
  usedAt: usedAt.toISOString(),
});
