import { Injectable } from '@nestjs/common';
import {
  AppError,
  billingRpc,
  creditsOf,
  invalidField,
  listDashboardChargedClasses,
  listDashboardUsageDays,
  listLedger,
  MAX_CHARGED_CLASSES,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { cursorOf, pageCursor } from '@classroom/persistence';
import { z } from 'zod';
import { signedCredits, toLedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { AiUsagesRepository, type ListedAiUsage } from '../metering/ai-usage.repository.js';
import { SessionsRepository, type ExplainedSession } from '../metering/sessions.repository.js';
import { EnsureAccount } from '../plans/apply-plan.js';
import type { LedgerEntryEntity } from '../schema/ledger-entry.entity.js';
import { UsageRepository } from './usage.repository.js';

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

const DAY_MS = 86_400_000;
const startOf = (day: string) => new Date(`${day}T00:00:00.000Z`);
const endOf = (day: string) => new Date(startOf(day).getTime() + DAY_MS);

@Injectable()
export class ListUsage {
  constructor(private readonly usage: UsageRepository) {}

  @Handles(listDashboardUsageDays)
  async days({ organizationId, from, to }: RpcInput<typeof listDashboardUsageDays>) {
    return { days: await this.usage.sumDays(organizationId, startOf(from), endOf(to)) };
  }

  @Handles(listDashboardChargedClasses)
  async classes({ organizationId, day }: RpcInput<typeof listDashboardChargedClasses>) {
    const rows = await this.usage.listClasses(organizationId, startOf(day), endOf(day), MAX_CHARGED_CLASSES);
    return {
      classes: rows.map(({ startedAt, endedAt, ...row }) => ({
        ...row,
        startedAt: startedAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      })),
    };
  }
}

const USAGES_PER_PAGE = 1_000;
/** `total` of the last usage of a page. */
const usageCursors = cursorOf(z.string().regex(/^\d{1,15}\.\d{9}$/));

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
    const after = cursor === undefined ? undefined : usageCursors.decode(cursor);
    const [rows, total, chargedBefore] = await Promise.all([
      this.usages.list(organizationId, aiSequence, after, USAGES_PER_PAGE),
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
      nextCursor: nextUsage(rows, aiUsage.length),
    };
  }
}

function nextUsage(rows: readonly ListedAiUsage[], taken: number): string | null {
  const last = rows[taken - 1];
  return !last || (taken === rows.length && rows.length < USAGES_PER_PAGE) ? null : usageCursors.encode(last.total);
}

const toAiUsage = ({ total: _, credits, usedAt, ...usage }: ListedAiUsage) => ({
  ...usage,
  credits: Number(credits),
  usedAt: usedAt.toISOString(),
});

const SESSIONS_PER_PAGE = 2_000;
/** Position of the last session of a page. */
const sessionCursors = pageCursor(z.string().max(256));

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
    const after = cursor === undefined ? undefined : sessionCursors.decode(cursor);
    const [rows, totalSeconds, chargedBefore] = await Promise.all([
      this.sessions.listThrough(sid, chargedThrough, after, SESSIONS_PER_PAGE),
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
      nextCursor: nextSession(rows, sessions.length),
    };
  }
}

function nextSession(rows: readonly ExplainedSession[], taken: number): string | null {
  const last = rows[taken - 1];
  if (!last || (taken === rows.length && rows.length < SESSIONS_PER_PAGE)) return null;
  return sessionCursors.encode({ createdAt: last.joinedAt, id: last.connectionSid });
}

const toExplained = (session: ExplainedSession) => ({
  ...session,
  joinedAt: session.joinedAt.toISOString(),
  leftAt: session.leftAt?.toISOString() ?? null,
});
