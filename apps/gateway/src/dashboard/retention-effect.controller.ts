import { Controller } from '@nestjs/common';
import { DATA_CLASSES, getDashboardRetentionEffect, retentionRpc, type EndpointInput, type RetainedClass } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { CallingDashboardUser, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { DashboardCaller } from '../http/request-context.js';

const UNIT_MS = { days: 86_400_000, hours: 3_600_000 };

@Controller()
export class RetentionEffectController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  @Endpoint(getDashboardRetentionEffect)
  async getDashboardRetentionEffect(
    @CallingDashboardUser() { organization: { organizationId, retention } }: DashboardCaller,
    @Input() { query: { dataClass, kept } }: EndpointInput<typeof getDashboardRetentionEffect>,
  ) {
    const now = this.clock.now().getTime();
    const ago = (time: number) => new Date(now - time * UNIT_MS[DATA_CLASSES[dataClass].kept.unit]).toISOString();
    const before = ago(kept);
    const since = ago(retention[dataClass]);
    const { old, all, oldestAt } = await this.rpc.call(ownerOf(dataClass), { organizationId, dataClass, since, before });
    return success({ dataClass, erased: old, stored: all, oldestAt, before });
  }
}

function ownerOf(dataClass: RetainedClass) {
  if (dataClass === 'recordings') return retentionRpc.recording;
  return dataClass === 'aiDialogues' ? retentionRpc.ai : retentionRpc.room;
}
