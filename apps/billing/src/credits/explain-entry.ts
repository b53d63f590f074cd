import { Injectable } from '@nestjs/common';
import { AppError, billingRpc, creditsOf, type RpcInput } from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import { z } from 'zod';
import { SessionsRepository, type ExplainedSession } from '../metering/sessions.repository.js';
import { signedCredits, toLedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { ExplainAiUsage } from './explain-ai-usage.js';

const PAGE_SIZE = 2_000;
/** Position of the last session of a page. */
const cursors = pageCursor(z.string().max(256));

/** Recomputes a charge from its sessions, as they are known now, or from its AI usage. */
@Injectable()
export class ExplainEntry {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly sessions: SessionsRepository,
    private readonly explainAiUsage: ExplainAiUsage,
  ) {}

  /** @throws AppError NOT_FOUND if the organization has no such entry or the entry charges no usage, VALIDATION_FAILED */
  @Handles(billingRpc.explain)
  async execute({ organizationId, entryId, cursor }: RpcInput<typeof billingRpc.explain>) {
    const entry = await this.ledger.find(organizationId, entryId);
    if (entry?.aiSequence != null) return this.explainAiUsage.execute({ ...entry, aiSequence: entry.aiSequence }, cursor);
    if (!entry?.sid) throw new AppError('NOT_FOUND', { message: 'There is no such charge' });
    const { sid, chargedThrough } = entry;
    const after = cursor === undefined ? undefined : cursors.decode(cursor);
    const [rows, totalSeconds, chargedBefore] = await Promise.all([
      this.sessions.listThrough(sid, chargedThrough, after, PAGE_SIZE),
      this.sessions.sumSecondsThrough(sid, chargedThrough),
      this.ledger.sumChargedBefore(entry),
    ]);
    const all = rows.map(toExplained);
    const sessions = fitMessage(all);
    return {
      entry: toLedgerEntry(entry),
      totalSeconds,
      totalCredits: creditsOf(totalSeconds),
      chargedBefore,
      // False if evidence arrived after the entry; a later adjustment then accounts for it.
      isConsistent: creditsOf(totalSeconds) === chargedBefore - signedCredits(entry),
      sessions,
      nextCursor: nextCursor(rows, sessions.length),
    };
  }
}

function nextCursor(rows: readonly ExplainedSession[], taken: number): string | null {
  const last = rows[taken - 1];
  if (!last || (taken === rows.length && rows.length < PAGE_SIZE)) return null;
  return cursors.encode({ createdAt: last.joinedAt, id: last.connectionSid });
}

const toExplained = (session: ExplainedSession) => ({
  ...session,
  joinedAt: session.joinedAt.toISOString(),
  leftAt: session.leftAt?.toISOString() ?? null,
});
