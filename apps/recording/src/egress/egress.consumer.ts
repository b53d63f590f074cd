import { Injectable } from '@nestjs/common';
import { CONSUMERS, egressWebhook } from '@classroom/contracts';
import { Consumes } from '@classroom/messaging';
import { AutoRecorder } from '../automatic/auto-recorder.js';
import { ApplyEgress } from './apply-egress.js';

interface Webhook {
  event: string;
  room?: { name?: string };
  egressInfo?: { egressId?: string };
}

/** Consumes the webhooks about egress, from LiveKit or in the same form from our own recorder, and those about published tracks. */
@Injectable()
export class EgressConsumer {
  constructor(
    private readonly applyEgress: ApplyEgress,
    private readonly autoRecorder: AutoRecorder,
  ) {}

  @Consumes<Webhook>(CONSUMERS.recordingEgress, {
    concurrency: 8,
    keyOf: ({ egressInfo, room }) => egressInfo?.egressId ?? room?.name ?? '',
  })
  async handle(webhook: Webhook): Promise<void> {
    if (webhook.event === 'track_published') return this.autoRecorder.handleTrackPublished(webhook.room?.name ?? '');
    return this.applyEgress.execute(egressWebhook.parse(webhook).egressInfo);
  }
}
