import type { RunningStack } from './running-stack.js';

export interface RoomState {
  sid: string;
  state: string;
  media: string;
  count: number;
  createdAt: Date;
  startedAt: Date | null;
  lastLeftAt: Date | null;
  dueAt: Date | null;
  scheduleDueAt: Date | null;
  endedAt: Date | null;
  verifiedAt: Date | null;
  tokensExpireAt: Date | null;
  version: number;
}

const ROOMS = `SELECT sid, state, media, participant_count AS count, created_at AS "createdAt", started_at AS "startedAt",
  last_left_at AS "lastLeftAt", due_at AS "dueAt", schedule_due_at AS "scheduleDueAt", ended_at AS "endedAt", verified_at AS "verifiedAt",
  tokens_expire_at AS "tokensExpireAt", version::int FROM room.rooms`;

/** What the room service keeps of a room and no API tells. @throws if there is none */
export async function roomState(stack: RunningStack, sid: string): Promise<RoomState> {
  const [room] = await stack.rows<RoomState>(`${ROOMS} WHERE sid = $1`, [sid]);
  if (!room) throw new Error(`no room ${sid}`);
  return room;
}

/** The rooms of a room id, oldest first: also those whose creation was abandoned or is not complete. */
export const roomsNamed = (stack: RunningStack, roomId: string): Promise<RoomState[]> =>
  stack.rows<RoomState>(`${ROOMS} WHERE room_id = $1 ORDER BY created_at`, [roomId]);

/** The names of the rooms that LiveKit should have, in its order. */
export async function roomsForLiveKit(stack: RunningStack): Promise<string[]> {
  const rooms = await stack.rows<RoomState>(`${ROOMS} WHERE media = 'open' AND state IN ('created', 'live') ORDER BY sid COLLATE "C"`);
  return rooms.map(({ sid }) => sid);
}

export interface ConnectionRow {
  connectionSid: string;
  uid: string;
  ip: string | null;
  joinedAt: Date;
  leftAt: Date | null;
  openedBy: string;
  closedBy: string | null;
  /** A webhook reported the end. */
  isFinal: boolean;
  isCounted: boolean;
  version: number;
}

/** The connections of a room, in the order of joining: also those that do not count. */
export const connectionsOf = (stack: RunningStack, sid: string): Promise<ConnectionRow[]> =>
  stack.rows<ConnectionRow>(
    `SELECT connection_sid AS "connectionSid", uid, ip, joined_at AS "joinedAt", left_at AS "leftAt", opened_by AS "openedBy",
            closed_by AS "closedBy", is_final AS "isFinal", is_counted AS "isCounted", version::int
       FROM room.connections_by_month WHERE sid = $1 ORDER BY joined_at, connection_sid`,
    [sid],
  );

/** The uids of everyone whom the room service knows in a room, connected or not. */
export async function uidsOf(stack: RunningStack, sid: string): Promise<string[]> {
  const people = await stack.rows<{ uid: string }>('SELECT uid FROM room.participants WHERE sid = $1', [sid]);
  return people.map(({ uid }) => uid);
}

/** Three polls of a room: the first and the last with `votes` votes in no order, of participants with this name and long uids. */
export async function addPolls(stack: RunningStack, sid: string, at: Date, name: string, votes: number): Promise<void> {
  await stack.rows(
    `WITH p AS (INSERT INTO room.polls (poll_id, sid, version, question, options, created_by, creator, created_at)
                SELECT gen_random_uuid(), $1, n, 'Which ' || n, ARRAY['yes', 'no'], 'teacher', 'Ada', $2::timestamptz + n * interval '1 second'
                  FROM generate_series(1, 3) n RETURNING poll_id, version)
     INSERT INTO room.poll_votes (poll_id, uid, name, option, voted_at)
     SELECT poll_id, 'student-' || lpad(n::text, 100, '0'), $3, n % 2, $2::timestamptz + (n * 7919 % ($4 / 3)) * interval '1 millisecond'
       FROM p, generate_series(1, $4::int) n WHERE version <> 2`,
    [sid, at, name, votes],
  );
}
