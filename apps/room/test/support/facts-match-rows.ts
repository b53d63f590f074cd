import { participantConnection } from '@classroom/contracts';
import { deadLetters, eventually } from '@classroom/testing';
import type { RoomFixture } from './room-fixture.js';

interface Row {
  connectionSid: string;
  version: number;
  leftAt: Date | null;
}

/**
 * For one room or for all: each version of a room was published exactly once, the last fact of each connection is its row, and nothing was given up.
 * @throws the first difference
 */
export async function expectFactsMatchRows(fixture: RoomFixture, sid?: string): Promise<void> {
  const { stack } = fixture;
  await eventually(async () => {
    const rows = await stack.rows<Row>(
      `SELECT connection_sid AS "connectionSid", version::int, left_at AS "leftAt" FROM room.connections_by_month WHERE is_counted AND ($1::text IS NULL OR sid = $1)`,
      [sid ?? null],
    );
    const facts = await fixture.facts(participantConnection, sid);
    expect(new Set(facts.map((fact) => `${fact.sid} ${fact.version}`)).size).toBe(facts.length);
    const latest = new Map<string, (typeof facts)[number]>();
    for (const fact of facts) if (fact.version > (latest.get(fact.connectionSid)?.version ?? 0)) latest.set(fact.connectionSid, fact);
    const published = new Map([...latest].map(([connectionSid, { version, leftAt }]) => [connectionSid, { version, leftAt }]));
    const stored = new Map(
      rows.map(({ connectionSid, version, leftAt }) => [connectionSid, { version, leftAt: leftAt?.toISOString() ?? null }]),
    );
    expect(published).toEqual(stored);
  });
  const wrong = await stack.rows(
    `SELECT r.sid, r.participant_count, c.open FROM room.rooms r CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE left_at IS NULL AND is_counted)::int AS open, coalesce(max(version), 0) AS latest
         FROM room.connections_by_month WHERE sid = r.sid) c
      WHERE r.participant_count <> c.open OR r.version <> c.latest`,
  );
  expect(wrong).toEqual([]);
  expect(await deadLetters(stack)).toBe(0);
}
