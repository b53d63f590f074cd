import { Injectable } from '@nestjs/common';
import type { PublicEvent } from '@classroom/contracts';
import { arraysOf, Database, namedArraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import { randomId } from '../schema/random-id.js';
import { sql } from '../schema/sql.js';
import type { EventBody } from './to-public-events.js';

/** An event that is about to become part of an organization's history. */
export type NewEvent = EventBody & {
  organizationId: string;
  occurred: Date;
  /** Of the work that caused it; null without a trace. */
  traceparent: string | null;
};

export interface PublishedEvent {
  organizationId: string;
  traceparent: string | null;
  event: PublicEvent;
}

export interface HistoryPage {
  events: PublicEvent[];
  /** The last number of the whole history, whatever `after` and `types` select. */
  lastSequence: number;
  earliestSequence: number | null;
}

/** In the order of the organizations, which all transactions share. */
const advance = sql(
  'history.advance',
  `INSERT INTO histories (organization_id, last_sequence)
   SELECT organization_id, added FROM unnest($1::text[], $2::int8[]) AS t(organization_id, added) ORDER BY organization_id
   ON CONFLICT (organization_id) DO UPDATE SET last_sequence = histories.last_sequence + excluded.last_sequence
   RETURNING organization_id AS "organizationId", last_sequence AS "lastSequence"`,
);

const append = sql(
  'history.append',
  `INSERT INTO events (organization_id, sequence, event_id, type, occurred_at, data, created_at)
   SELECT organization_id, sequence, event_id, type, occurred_at, data, :now
     FROM unnest(:organizationId::text[], :sequence::bigint[], :id::text[], :type::text[], :timestamp::timestamptz[], :data::json[])
          AS t(organization_id, sequence, event_id, type, occurred_at, data)`,
);

const page = sql(
  'history.page',
  `SELECT h.last_sequence AS "lastSequence!", e.event_id AS "eventId", e.sequence, e.type, e.occurred_at AS "occurredAt", e.data,
          (SELECT min(sequence) FROM events WHERE organization_id = $1) AS earliest
     FROM histories h
     LEFT JOIN LATERAL (
       SELECT event_id, sequence, type, occurred_at, data FROM events
        WHERE organization_id = h.organization_id AND sequence > $2 AND ($3::text[] IS NULL OR type = ANY ($3))
        ORDER BY sequence LIMIT $4) e ON true
    WHERE h.organization_id = $1 ORDER BY e.sequence`,
);

const deleteOlder = sql.planned(
  'history.deleteOlder',
  `DELETE FROM events WHERE (organization_id, sequence) IN
     (SELECT organization_id, sequence FROM events WHERE created_at < $1 ORDER BY created_at, sequence LIMIT $2) RETURNING 1`,
);

const scan = sql.planned(
  'history.scan',
  `SELECT event_id AS "eventId", sequence, CASE WHEN position($2 IN data::text) > 0 THEN data END AS data FROM events
    WHERE organization_id = $1 AND sequence > $3 ORDER BY sequence LIMIT $4`,
);

const replaceData = sql(
  'history.replaceData',
  `UPDATE events e SET data = t.data FROM unnest($2::text[], $3::json[]) AS t(event_id, data)
    WHERE e.organization_id = $1 AND e.event_id = t.event_id`,
);

/** An organization's events, numbered 1, 2, 3 … in the order in which they become visible. */
@Injectable()
export class HistoryRepository {
  constructor(private readonly database: Database) {}

  /**
   * Numbers the events of each organization in their order and stores them. Other transactions that append to these histories wait until `tx`
   * ends.
   */
  async append(tx: Transaction, added: readonly NewEvent[], now: Date): Promise<PublishedEvent[]> {
    const counts = new Map<string, number>();
    for (const { organizationId } of added) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
    const histories = await tx.run(advance, [...counts.keys()], [...counts.values()]);
    const next = new Map(
      histories.map(({ organizationId, lastSequence }) => [organizationId, lastSequence - (counts.get(organizationId) ?? 0)]),
    );
    const published = added.map(({ organizationId, occurred, traceparent, type, data }) => {
      const sequence = (next.get(organizationId) ?? NaN) + 1;
      next.set(organizationId, sequence);
      return { organizationId, traceparent, event: { id: randomId('evt'), type, timestamp: occurred.toISOString(), sequence, data } };
    });
    const rows = published.map(({ organizationId, event }) => ({ ...event, organizationId, data: JSON.stringify(event.data) }));
    await tx.run(append, { ...namedArraysOf(rows, 'organizationId', 'sequence', 'id', 'type', 'timestamp', 'data'), now });
    return published;
  }

  /**
   * The events after the sequence number `after`. One statement, so that the events and the end of the history are from the
   * same snapshot.
   */
  async page(organizationId: string, after: number, types: readonly string[] | undefined, limit: number): Promise<HistoryPage> {
    const rows = await this.database.run(page, organizationId, after, types ?? null, limit);
    const [first] = rows;
    return { events: rows.flatMap(toPublicEvent), lastSequence: first?.lastSequence ?? 0, earliestSequence: first?.earliest ?? null };
  }

  /** The next events after a sequence number, in their order. `data` is null where it does not contain `text`. */
  scan(tx: Transaction, organizationId: string, text: string, after: number, limit: number): Promise<RowOf<typeof scan>[]> {
    return tx.run(scan, organizationId, text, after, limit);
  }

  /** @param events with their new data, as JSON */
  async replaceData(tx: Transaction, organizationId: string, events: readonly { eventId: string; data: string }[]): Promise<void> {
    await tx.run(replaceData, organizationId, ...arraysOf(events, 'eventId', 'data'));
  }

  /** Deletes the oldest events, at most `limit`. @returns how many were deleted */
  async deleteOlder(than: Date, limit: number): Promise<number> {
    return (await this.database.run(deleteOlder, than, limit)).length;
  }
}

/** Empty for the row of a history in which no event was found: that row only states the end of the history. */
function toPublicEvent({ eventId: id, type, occurredAt, sequence, data }: RowOf<typeof page>): PublicEvent[] {
  if (id === null || type === null || occurredAt === null || sequence === null || data === null) return [];
  return [{ id, type, timestamp: occurredAt.toISOString(), sequence, data }];
}
