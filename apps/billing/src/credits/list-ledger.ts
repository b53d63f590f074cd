import { Injectable } from '@nestjs/common';
import {
  AppError,
  invalidField,
  listDashboardChargedClasses,
  listDashboardUsageDays,
  listLedger,
  MAX_CHARGED_CLASSES,
  type RpcInput,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { toLedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { EnsureAccount } from '../plans/apply-plan.js';
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
