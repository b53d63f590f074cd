import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { CONSUMERS, participantConnection, STREAMS, type EventData, type EventEnvelope } from '@classroom/contracts';
import { eventually } from './eventually.js';
import type { RunningStack } from './running-stack.js';

/** How long work in progress may take to settle: redelivery after 15 s, a sweep that resumes creations after 15 s. */
const SETTLE_MS = 90_000;
/** The older connection of a uid may end in the second in which the newer one began, or in the next. */
const REPLACEMENT_OVERLAP_S = 1;

interface Rule {
  name: string;
  /** Returns the rows that break the rule. */
  sql: string;
}

/** True for every committed state, at any time. */
const ALWAYS: Rule[] = [
  { name: 'an interval ends before it began', sql: 'SELECT * FROM room.connections_by_month WHERE left_at < joined_at' },
  {
    name: 'intervals of one uid overlap',
    sql: `SELECT a.sid, a.uid, a.connection_sid AS one, b.connection_sid AS other, a.joined_at, a.left_at,
                 b.joined_at AS other_joined_at, b.left_at AS other_left_at
            FROM room.connections_by_month a JOIN room.connections_by_month b ON a.sid = b.sid AND a.uid = b.uid AND a.connection_sid < b.connection_sid
           WHERE a.is_counted AND b.is_counted
             AND least(a.left_at, b.left_at, '9999-01-01') - greatest(a.joined_at, b.joined_at) > interval '${REPLACEMENT_OVERLAP_S} second'`,
  },
  {
    name: 'participant_count, has_teacher or started_at is not what the connections say',
    sql: `SELECT r.sid, r.state, r.participant_count, r.has_teacher, r.started_at, c.* FROM room.rooms r
            CROSS JOIN LATERAL (
              SELECT count(*) FILTER (WHERE left_at IS NULL) AS open, min(joined_at) AS first,
                     coalesce(bool_or(role = 'TEACHER') FILTER (WHERE left_at IS NULL), false) AS teacher
                FROM room.connections_by_month WHERE sid = r.sid AND is_counted) c
           WHERE r.participant_count <> c.open OR r.has_teacher <> c.teacher
              OR (r.state <> 'finished' AND r.started_at IS DISTINCT FROM c.first)`,
  },
  {
    name: 'a version is used twice or is not the room’s latest',
    sql: `SELECT r.sid, r.version, c.* FROM room.rooms r
            CROSS JOIN LATERAL (
              SELECT coalesce(max(version), 0) AS latest, count(*) AS rows, count(DISTINCT version) AS versions
                FROM room.connections_by_month WHERE sid = r.sid) c
           WHERE c.latest <> r.version OR c.rows <> c.versions`,
  },
  {
    name: 'a finished room has a participant, or a live room never had one',
    sql: `SELECT sid, state FROM room.rooms r
           WHERE (state = 'finished' AND EXISTS (SELECT 1 FROM room.connections_by_month WHERE sid = r.sid AND left_at IS NULL))
              OR (state = 'live') <> (started_at IS NOT NULL AND state <> 'finished')`,
  },
];

/** True when no work is in progress. */
const SETTLED: Rule[] = [
  { name: 'a room is stuck half made', sql: `SELECT sid, state, created_at FROM room.rooms WHERE state = 'creating'` },
  { name: 'a room is stuck half closed', sql: `SELECT sid, state, media FROM room.rooms WHERE media = 'closing'` },
];

/**
 * What must be true of all rooms of a stack, whatever failed before. It also checks that a consumer that folds the published
 * facts by version arrives at our rows, which detects a lost, repeated or stale fact.
 * @throws Error that names each broken rule with its rows
 */
export async function expectPresenceInvariants(stack: RunningStack, settleMs = SETTLE_MS): Promise<void> {
  fail(await broken(stack, ALWAYS));
  const connection = await connect(stack.nats);
  try {
    await eventually(async () => {
      fail([
        ...(await broken(stack, SETTLED)),
        ...(await unsentFacts(stack)),
        ...(await unhandledMessages(stack, connection)),
        ...(await differencesFromFacts(stack, connection)),
      ]);
    }, settleMs);
    fail([...(await broken(stack, ALWAYS)), ...(await deadLetters(connection))]);
  } finally {
    await connection.close();
  }
}

function fail(violations: string[]): void {
  if (violations.length > 0) throw new Error(`broken invariants:\n${violations.join('\n')}`);
}

async function broken(stack: RunningStack, rules: readonly Rule[]): Promise<string[]> {
  const found = await Promise.all(rules.map(async ({ name, sql }) => ({ name, rows: await stack.rows(sql) })));
  return found.filter(({ rows }) => rows.length > 0).map(({ name, rows }) => `${name}: ${JSON.stringify(rows)}`);
}

async function deadLetters(connection: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(STREAMS.DLQ.name);
  return state.messages === 0 ? [] : [`${state.messages} messages were set aside in ${STREAMS.DLQ.name}`];
}

async function unsentFacts(stack: RunningStack): Promise<string[]> {
  const schemas = await stack.rows<{ name: string }>(
    `SELECT table_schema AS name FROM information_schema.tables WHERE table_name = 'outbox'`,
  );
  const unsent = schemas.map(({ name }) => ({
    name: `the outbox of ${name} is not drained`,
    sql: `SELECT id, subject FROM "${name}".outbox WHERE published_at IS NULL LIMIT 5`,
  }));
  return broken(stack, unsent);
}

/** Only of services that the stack runs: each has a log of its name, and its consumers' names begin with it. */
async function unhandledMessages(stack: RunningStack, connection: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(connection);
  const isRun = ({ durable }: { durable: string }) => existsSync(join(stack.home, 'logs', `${durable.split('-')[0]}.log`));
  const consumers = Object.values(CONSUMERS).filter(isRun);
  const infos = await Promise.all(consumers.map(({ stream, durable }) => manager.consumers.info(stream, durable)));
  return infos
    .filter(({ num_pending: waiting, num_ack_pending: unacknowledged }) => waiting + unacknowledged > 0)
    .map((info) => `${info.name}: ${info.num_pending} messages wait, ${info.num_ack_pending} are unacknowledged`);
}

type ConnectionFact = EventData<typeof participantConnection>;

async function differencesFromFacts(stack: RunningStack, connection: NatsConnection): Promise<string[]> {
  const folded = new Map<string, ConnectionFact>();
  for (const { data } of await readFacts(connection)) {
    const known = folded.get(data.connectionSid);
    if (!known || data.version > known.version) folded.set(data.connectionSid, data);
  }
  const rows = await stack.rows<{ connectionSid: string; joinedAt: Date; leftAt: Date | null; version: string }>(
    `SELECT connection_sid AS "connectionSid", joined_at AS "joinedAt", left_at AS "leftAt", version
       FROM room.connections_by_month WHERE is_counted`,
  );
  const ofRows = rows.map(({ connectionSid, joinedAt, leftAt, version }) =>
    line(connectionSid, joinedAt.toISOString(), leftAt?.toISOString() ?? null, Number(version)),
  );
  const ofFacts = [...folded.values()].map(({ connectionSid, joinedAt, leftAt, version }) =>
    line(connectionSid, joinedAt, leftAt, version),
  );
  const missing = ofRows.filter((one) => !ofFacts.includes(one)).map((one) => `no fact says what a row says: ${one}`);
  const unexpected = ofFacts.filter((one) => !ofRows.includes(one)).map((one) => `the last fact is not what a row says: ${one}`);
  return [...missing, ...unexpected];
}

const line = (...parts: (string | number | null)[]) => parts.map((part) => part ?? 'open').join(' ');

async function readFacts(connection: NatsConnection): Promise<EventEnvelope<ConnectionFact>[]> {
  const consumer = await jetstream(connection).consumers.get(STREAMS.EVENTS.name, {
    filter_subjects: [`${participantConnection.subjectPrefix}.>`],
  });
  const { num_pending: count } = await consumer.info();
  if (count === 0) return [];
  const facts: EventEnvelope<ConnectionFact>[] = [];
  for await (const message of await consumer.fetch({ max_messages: count, expires: 5_000 })) {
    facts.push(message.json<EventEnvelope<ConnectionFact>>());
  }
  return facts;
}
