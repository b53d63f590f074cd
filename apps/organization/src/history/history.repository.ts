import { Injectable } from '@nestjs/common';
import type { PublicEvent } from '@classroom/contracts';
import { arraysOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';
import { randomId } from './random-id.js';
import type { NewEvent } from './to-public-events.js';

export interface HistoryPage {
  events: PublicEvent[];
  /** The last number of the whole history, whatever `after` and `types` select. */
  lastSequence: number;
  earliestSequence: number | null;
}

const advance = sql(
  'history.advance',
  `INSERT INTO histories (organization_id, last_sequence) VALUES ($1, $2)
   ON CONFLICT (organization_id) DO UPDATE SET last_sequence = histories.last_sequence + $2 RETURNING last_sequence AS "lastSequence"`,
);

const append = sql(
  'history.append',
  `INSERT INTO events (organization_id, sequence, event_id, type, occurred_at, data, created_at)
   SELECT $1, sequence, event_id, type, $6, data, $7
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::json[]) AS t(sequence, event_id, type, data)`,
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

/** An organization's events, numbered 1, 2, 3 … in the order in which they become visible. */
@Injectable()
export class HistoryRepository {
  constructor(private readonly database: Database) {}

  /** Numbers the events and stores them. Other transactions that append to this history wait until `tx` ends. */
  async append(
    tx: Transaction,
    organizationId: string,
    added: readonly NewEvent[],
    at: { occurred: Date; now: Date },
  ): Promise<PublicEvent[]> {
    const history = await tx.first(advance, organizationId, added.length);
    const before = (history?.lastSequence ?? NaN) - added.length;
    const timestamp = at.occurred.toISOString();
    const events = added.map(({ type, data }, index) => ({ id: randomId('evt'), type, timestamp, sequence: before + index + 1, data }));
    await tx.run(
      append,
      organizationId,
      ...arraysOf(events, 'sequence', 'id', 'type'),
      events.map(({ data }) => JSON.stringify(data)),
      at.occurred,
      at.now,
    );
    return events;
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
