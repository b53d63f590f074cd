import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, egressWebhook } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Background } from '@classroom/platform';
import { AutoRecord } from '../automatic/auto-record.js';
import { ApplyEgress } from './apply-egress.js';

interface Webhook {
  event: string;
  room?: { name?: string };
  egressInfo?: { egressId?: string };
}

const CONCURRENCY = 8;

/** LiveKit's webhooks about egress, or our own recorder's in the same form; and who begins to publish. */
@Injectable()
export class EgressEvents {
  constructor(background: Background, @Inject(JETSTREAM) jetstream: JetStreamClient, applyEgress: ApplyEgress, autoRecord: AutoRecord) {
    background.add(
      new DurableConsumer<Webhook>(jetstream, {
        declaration: CONSUMERS.recordingEgress,
        concurrency: CONCURRENCY,
        keyOf: ({ egressInfo, room }) => egressInfo?.egressId ?? room?.name ?? '',
        handle: async (webhook) => {
          if (webhook.event === 'track_published') return autoRecord.publishing(webhook.room?.name ?? '');
          return applyEgress.execute(egressWebhook.parse(webhook).egressInfo);
        },
      }),
    );
  }
}
