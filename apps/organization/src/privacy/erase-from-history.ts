import { Injectable } from '@nestjs/common';
import type { PersonOrClass } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { isAlias, newAlias } from '@classroom/platform';
import { HistoryRepository } from '../events/history.repository.js';
import { PERSONAL, UIDS } from '../events/to-public-events.js';
import type { HistoryProgress } from '../schema/erasure.entity.js';
import { DeliveriesRepository } from '../webhooks/deliveries.repository.js';

/** Fields that a backend or a teacher wrote about a class. */
const WRITTEN = new Set(['title', 'description', 'roomTitle']);

/** Replaces a person, or everyone in a class, in JSON values. The same person has the same pseudonym in all values of one anonymizer. */
export class Anonymizer {
  private readonly aliases = new Map<string, string>();

  constructor(private readonly subject: PersonOrClass) {}

  /** @returns a changed copy; undefined if nothing of the subject is in the value */
  anonymize(value: unknown): unknown {
    if ('roomId' in this.subject && !mentions(value, this.subject.roomId)) return undefined;
    const copy = this.replace(value);
    return JSON.stringify(copy) === JSON.stringify(value) ? undefined : copy;
  }

  private replace(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.replace(one));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value);
    const isPerson = fields.some(([key, one]) => UIDS.has(key) && this.isErased(one));
    return Object.fromEntries(
      fields.map(([key, one]) => {
        if (UIDS.has(key) && this.isErased(one)) return [key, this.aliasOf(one)];
        if (isPerson && key in PERSONAL) return [key, PERSONAL[key]];
        if ('roomId' in this.subject && WRITTEN.has(key) && typeof one === 'string') return [key, 'Erased'];
        return [key, this.replace(one)];
      }),
    );
  }

  private isErased(uid: unknown): uid is string {
    if (typeof uid !== 'string' || uid === '' || isAlias(uid)) return false;
    return 'roomId' in this.subject || uid === this.subject.uid;
  }

  private aliasOf(uid: string): string {
    const alias = this.aliases.get(uid) ?? newAlias();
    this.aliases.set(uid, alias);
    return alias;
  }
}

function mentions(value: unknown, roomId: string): boolean {
  if (Array.isArray(value)) return value.some((one) => mentions(one, roomId));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => (key === 'roomId' && one === roomId) || mentions(one, roomId));
}

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
