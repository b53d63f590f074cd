import { Injectable } from '@nestjs/common';
import { listDashboardChargedClasses, listDashboardUsageDays, MAX_CHARGED_CLASSES, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { UsageRepository } from './usage.repository.js';

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
