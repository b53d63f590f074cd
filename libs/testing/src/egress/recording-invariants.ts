import { Bucket } from '../bucket.js';
import type { SimulatedEngine } from './simulated-engine.js';
import { eventually } from '../eventually.js';
import { deadLetters, unhandled } from '../facts.js';
import type { RunningStack } from '../running-stack.js';

/** Redelivery after 15 s, and a finalization that is retried every 5 s. */
const SETTLE_MS = 90_000;

interface Row {
  key: string;
  sid: string;
  egressId: string | null;
  engineIds: string[];
  status: string;
  version: number;
  size: number | null;
  objectKey: string | null;
  reason: string | null;
  isDeleted: boolean;
  isWatched: boolean;
  isFinalized: boolean;
}

interface Scope {
  /** False in a stack without the room service: its view of recordings is not compared. */
  hasRooms?: boolean;
}

/** The room service must know the current state of each recording. */
const OUTDATED_IN_ROOM = `
  SELECT r.sid, r.egress_id, r.status, r.version, t.status AS "knownStatus", t.version AS "knownVersion"
    FROM recording.recordings r LEFT JOIN room.room_recordings t ON t.egress_id = r.egress_id
   WHERE r.egress_id IS NOT NULL AND r.version > 0 AND (t.version IS DISTINCT FROM r.version OR t.status IS DISTINCT FROM r.status)`;
const IS_RECORDING = `
  SELECT o.sid, o.state, o.is_recording FROM room.rooms o
   WHERE o.is_recording <> (o.state <> 'finished' AND EXISTS (
           SELECT FROM recording.recordings r WHERE r.sid = o.sid AND r.egress_id IS NOT NULL AND r.status IN ('STARTING', 'ACTIVE')))`;
/** Every recording that was made must be listed. */
const HIDDEN = `SELECT sid, status FROM recording.recordings WHERE egress_id IS NULL AND status NOT IN ('REQUESTED', 'REFUSED', 'FAILED', 'ABORTED')`;
const UNSENT = 'SELECT id, subject FROM recording.outbox WHERE published_at IS NULL';

/**
 * What must be true of all recordings of a stack when no work is in progress, whatever failed before: rows, the room's view of
 * them, the bucket, and with a simulated engine also its running captures.
 * @throws Error that names each broken rule
 */
export async function expectRecordingInvariants(
  stack: RunningStack,
  engine?: SimulatedEngine,
  { hasRooms = true }: Scope = {},
): Promise<void> {
  await engine?.settled();
  await eventually(async () => fail(await violations(stack, engine, hasRooms)), SETTLE_MS);
}

async function violations(stack: RunningStack, engine: SimulatedEngine | undefined, hasRooms: boolean): Promise<string[]> {
  const rows = await readRows(stack);
  const consumers = ['recordingEgress', 'recordingRooms', ...(hasRooms ? ['roomRecording' as const] : [])] as const;
  const waiting = await Promise.all(consumers.map((consumer) => unhandled(stack, consumer)));
  const broken = await Promise.all(
    Object.entries({ HIDDEN, UNSENT, ...(hasRooms ? { OUTDATED_IN_ROOM, IS_RECORDING } : {}) }).map(async ([rule, sql]) => ({
      rule,
      rows: await stack.rows(sql),
    })),
  );
  const dead = await deadLetters(stack);
  return [
    ...rows.flatMap((row) => unmonitored(row)),
    ...(engine ? differencesFromEngine(rows, engine) : []),
    ...(await differencesFromBucket(stack, rows)),
    ...broken.filter((one) => one.rows.length > 0).map((one) => `${one.rule}: ${JSON.stringify(one.rows)}`),
    ...(waiting.every((count) => count === 0) ? [] : [`messages are not handled: ${waiting.join(' ')}`]),
    ...(dead === 0 ? [] : [`${dead} messages were set aside`]),
  ];
}

/** A recording that is not over must have a next check or a finalization. */
function unmonitored({ key, status, isWatched, isFinalized }: Row): string[] {
  if (status === 'REQUESTED') return [`${key} was requested, and its outcome is unknown`];
  const isOver = ['COMPLETED', 'FAILED', 'ABORTED', 'REFUSED'].includes(status);
  return isOver || isWatched || isFinalized ? [] : [`${key} is ${status}, and no check of it is due`];
}

function differencesFromEngine(rows: Row[], engine: SimulatedEngine): string[] {
  const running = engine.captures.filter(({ isRunning }) => isRunning).map(({ order }) => order.egressId);
  const wanted = rows
    .filter(({ status }) => status === 'STARTING' || status === 'ACTIVE')
    .map(({ engineIds }) => engineIds.at(-1) ?? 'none');
  return [
    ...running.filter((id) => !wanted.includes(id)).map((id) => `${id} is captured, and no recording needs it`),
    ...wanted.filter((id) => !running.includes(id)).map((id) => `${id} should be captured, and is not`),
  ];
}

async function differencesFromBucket(stack: RunningStack, rows: Row[]): Promise<string[]> {
  const bucket = Bucket.of(stack);
  const [objects, uploads] = await Promise.all([bucket.list('recordings/'), bucket.uploads('recordings/')]);
  const ofRow = ({ key }: Row) => [...objects.keys()].filter((path) => path.split('/')[3] === key);
  const known = new Set(rows.flatMap(ofRow));
  return [
    ...[...objects.keys()].filter((path) => !known.has(path)).map((path) => `${path} lies in the bucket without a row`),
    ...rows.filter((row) => row.isDeleted && ofRow(row).length > 0).map(({ key }) => `${key} is deleted, and lies in the bucket`),
    ...rows
      .filter((row) => row.isDeleted && uploads.some((path) => path.includes(row.key)))
      .map(({ key }) => `an upload of ${key} is still open`),
    ...rows
      .filter(({ status, isDeleted, objectKey, size }) => status === 'COMPLETED' && !isDeleted && objects.get(objectKey ?? '') !== size)
      .map(({ key, size, objectKey }) => `${key} has ${size} bytes, its object ${objects.get(objectKey ?? '')}`),
  ];
}

function readRows(stack: RunningStack): Promise<Row[]> {
  return stack.rows<Row>(
    `SELECT recording_key AS key, sid, egress_id AS "egressId", engine_ids AS "engineIds", status, version::int, size::float8 AS size,
            object_key AS "objectKey", reason, deleted_at IS NOT NULL AS "isDeleted", look_at IS NOT NULL AS "isWatched",
            finalize_at IS NOT NULL AS "isFinalized" FROM recording.recordings`,
  );
}

function fail(broken: string[]): void {
  if (broken.length > 0) throw new Error(`broken invariants:\n${broken.join('\n')}`);
}
