import { Injectable } from '@nestjs/common';
import { roomRpc, type billingRpc, type RpcOutput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';

interface AttendeeRow {
  uid: string;
  name: string;
  role: string;
  firstJoinedAt: Date;
  lastLeftAt: Date | null;
  seconds: number;
  sessions: number;
}

/** Who was there, for how long, and for how much of the class. */
@Injectable()
export class Attendance {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, SERVICE_UNAVAILABLE */
  async execute(organizationId: string, roomId: string): Promise<RpcOutput<typeof billingRpc.attendance>> {
    const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const now = this.clock.now();
    const people = await this.attendees(room.sid, now);
    const startedAt = room.startedAt ? Date.parse(room.startedAt) : undefined;
    const endedAt = room.endedAt ? Date.parse(room.endedAt) : now.getTime();
    const classDuration = startedAt === undefined ? 0 : Math.max(0, Math.floor((endedAt - startedAt) / 1000));
    return {
      roomId,
      roomTitle: room.title,
      status: room.state === 'finished' ? 'finished' : 'live',
      startedAt: room.startedAt,
      endedAt: room.endedAt,
      classDuration,
      totalParticipants: people.length,
      participants: people.map((person) => ({
        uid: person.uid,
        name: person.name,
        role: person.role,
        firstJoinedAt: person.firstJoinedAt.toISOString(),
        lastLeftAt: person.lastLeftAt?.toISOString() ?? null,
        duration: person.seconds,
        percentOfClass: percent(person.seconds, classDuration),
        sessionCount: person.sessions,
        isPresent: person.lastLeftAt === null,
      })),
    };
  }

  private attendees(sid: string, now: Date): Promise<AttendeeRow[]> {
    return this.database.query<AttendeeRow & Record<string, unknown>>(
      `SELECT uid, (array_agg(name ORDER BY joined_at DESC))[1] AS name, (array_agg(role ORDER BY joined_at DESC))[1] AS role,
              min(joined_at) AS "firstJoinedAt", CASE WHEN bool_or(left_at IS NULL) THEN NULL ELSE max(left_at) END AS "lastLeftAt",
              floor(sum(greatest(0, extract(epoch FROM coalesce(left_at, $2) - joined_at))))::int AS seconds, count(*)::int AS sessions
         FROM sessions WHERE sid = $1 GROUP BY uid ORDER BY min(joined_at), uid`,
      [sid, now],
    );
  }
}

const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 1000) / 10));
