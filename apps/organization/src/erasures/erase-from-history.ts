import { Injectable } from '@nestjs/common';
import type { ErasureCounts, PersonOrClass } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { HistoryRepository } from '../history/history.repository.js';
import { DeliveriesRepository } from '../outgoing/deliveries.repository.js';
import { Anonymizer } from './anonymizer.js';

const BATCH = 500;

/** Replaces people in the event history and in webhooks by pseudonyms. Sequence numbers stay, so the history has no gap. */
@Injectable()
export class EraseFromHistory {
  constructor(
    private readonly history: HistoryRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** @returns how many rows, by store */
  async execute(tx: Transaction, organizationId: string, subject: PersonOrClass): Promise<ErasureCounts> {
    const anonymizer = new Anonymizer(subject);
    const text = JSON.stringify('uid' in subject ? subject.uid : subject.roomId);
    const counts = { events: 0, webhooks: 0 };
    for (let after = 0; ;) {
      const events = await this.history.findContaining(tx, organizationId, text, after, BATCH);
      const changed = events.flatMap(({ eventId, data }) => {
        const value = anonymizer.anonymize(data);
        return value === undefined ? [] : { eventId, data: JSON.stringify(value) };
      });
      await this.history.replaceData(tx, organizationId, changed);
      counts.events += changed.length;
      const last = events.at(-1);
      if (!last) break;
      after = last.sequence;
    }
    for (let after = 0; ;) {
      const webhooks = await this.deliveries.findContaining(tx, organizationId, text, after, BATCH);
      const changed = webhooks.flatMap(({ deliveryId, payload }) => {
        const value = anonymizer.anonymize(JSON.parse(payload));
        return value === undefined ? [] : { deliveryId, payload: JSON.stringify(value) };
      });
      await this.deliveries.replacePayloads(tx, changed);
      counts.webhooks += changed.length;
      const last = webhooks.at(-1);
      if (!last) return counts;
      after = last.position;
    }
  }
}
