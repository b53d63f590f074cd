import { Injectable } from '@nestjs/common';
import { CONSUMERS, egressWebhook } from '@classroom/contracts';
import { Consumes } from '@classroom/messaging';
import { AutoRecord } from '../automatic/auto-record.js';
import { ApplyEgress } from './apply-egress.js';

interface Webhook {
  event: string;
  room?: { name?: string };
  egressInfo?: { egressId?: string };
}

/** LiveKit's webhooks about egress, or our own recorder's in the same form; and who begins to publish. */
@Injectable()
export class EgressConsumer {
  constructor(
    private readonly applyEgress: ApplyEgress,
    private readonly autoRecord: AutoRecord,
  ) {}

  @Consumes<Webhook>(CONSUMERS.recordingEgress, {
    concurrency: 8,
    keyOf: ({ egressInfo, room }) => egressInfo?.egressId ?? room?.name ?? '',
  })
  async handle(webhook: Webhook): Promise<void> {
    if (webhook.event === 'track_published') return this.autoRecord.publishing(webhook.room?.name ?? '');
    return this.applyEgress.execute(egressWebhook.parse(webhook).egressInfo);
  }
}
