import { Injectable } from '@nestjs/common';
import type { PersonOrClass } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { HistoryRepository } from '../events/history.repository.js';
import { DeliveriesRepository } from '../webhooks/deliveries.repository.js';
import type { HistoryProgress } from '../schema/erasure.entity.js';
import { Anonymizer } from './anonymizer.js';

/** Rows of one transaction. */
const BATCH = 5_000;
const BEGINNING: HistoryProgress = {
  event: 0,
  areEventsDone: false,
  endpointId: '',
  position: 0,
  isComplete: false,
  counts: { events: 0, webhooks: 0 },
};

/** Replaces people in the event history and in webhooks by pseudonyms. Sequence numbers stay, so the history has no gap. */
@Injectable()
export class EraseFromHistory {
  constructor(
    private readonly history: HistoryRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** Looks at the next events, and after them at the webhooks. @param before null: it begins @returns how far it is now */
  execute(tx: Transaction, organizationId: string, subject: PersonOrClass, before: HistoryProgress | null): Promise<HistoryProgress> {
    const progress = before ?? BEGINNING;
    const text = JSON.stringify('uid' in subject ? subject.uid : subject.roomId);
    const anonymizer = new Anonymizer(subject);
    return progress.areEventsDone
      ? this.eraseFromWebhooks(tx, organizationId, { text, anonymizer }, progress)
      : this.eraseFromEvents(tx, organizationId, { text, anonymizer }, progress);
  }

  private async eraseFromEvents(
    tx: Transaction,
    organizationId: string,
    { text, anonymizer }: { text: string; anonymizer: Anonymizer },
    progress: HistoryProgress,
  ): Promise<HistoryProgress> {
    const events = await this.history.scan(tx, organizationId, text, progress.event, BATCH);
    const changed = events.flatMap(({ eventId, data }) => {
      const value = data === null ? undefined : anonymizer.anonymize(data);
      return value === undefined ? [] : { eventId, data: JSON.stringify(value) };
    });
    if (changed.length > 0) await this.history.replaceData(tx, organizationId, changed);
    return {
      ...progress,
      event: events.at(-1)?.sequence ?? progress.event,
      areEventsDone: events.length < BATCH,
      counts: { ...progress.counts, events: progress.counts.events + changed.length },
    };
  }

  private async eraseFromWebhooks(
    tx: Transaction,
    organizationId: string,
    { text, anonymizer }: { text: string; anonymizer: Anonymizer },
    progress: HistoryProgress,
  ): Promise<HistoryProgress> {
    const { endpointId, position } = progress;
    const webhooks = await this.deliveries.scan(tx, organizationId, text, { endpointId, position }, BATCH);
    const changed = webhooks.flatMap(({ deliveryId, payload }) => {
      const value = payload === null ? undefined : anonymizer.anonymize(JSON.parse(payload));
      return value === undefined ? [] : { deliveryId, payload: JSON.stringify(value) };
    });
    if (changed.length > 0) await this.deliveries.replacePayloads(tx, changed);
    const last = webhooks.at(-1) ?? progress;
    return {
      ...progress,
      endpointId: last.endpointId,
      position: last.position,
      isComplete: webhooks.length < BATCH,
      counts: { ...progress.counts, webhooks: progress.counts.webhooks + changed.length },
    };
  }
}
