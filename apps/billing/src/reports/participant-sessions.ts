import { Injectable } from '@nestjs/common';
import { billingRpc, creditsOf, SESSIONS_PER_GROUP, type SessionsQuery } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { sessionCredits } from '../metering/charge.js';
import type { RoomMeterEntity } from '../schema/room-meter.entity.js';
import { RoomsRepository } from './rooms.repository.js';
import { SessionsStore, type SessionFilter, type SessionRecord, type Totals } from './sessions-store.js';

const DAY_MS = 86_400_000;
/** No room has this sid, so the filter matches nothing. */
const NO_ROOM = '';

export interface ReportScope {
  filter: SessionFilter;
  dateRange: { from: string; to: string };
  room: Pick<RoomMeterEntity, 'sid' | 'title'> | null;
}

@Injectable()
export class ParticipantSessions {
  constructor(
    private readonly store: SessionsStore,
    private readonly rooms: RoomsRepository,
    private readonly clock: Clock,
  ) {}

  @Handles(billingRpc.sessions)
  async getParticipantSessions(query: SessionsQuery) {
    const scope = await this.resolveScope(query);
    const [participant, totals] = await Promise.all([this.findParticipant(query), this.store.totals(scope.filter)]);
    const summary = { ...toSummary(totals), roomsAttended: totals.rooms, dateRange: scope.dateRange };
    return query.roomId === undefined
      ? { participant, ...(await this.grouped(query, scope.filter, totals)), summary }
      : { participant, ...(await this.inRoom(query, query.roomId, scope, totals)), summary };
  }

  /** Without dates: today. With a start only: that day. With both: the range including both days. */
  async resolveScope({ organizationId, uid, roomId, startDate, endDate }: SessionsQuery): Promise<ReportScope> {
    const now = this.clock.now();
    const from = startDate ?? now.toISOString().slice(0, 10);
    const to = endDate ?? from;
    const room = roomId === undefined ? null : await this.rooms.findRoom(organizationId, roomId);
    const filter = {
      organizationId,
      uid,
      from: new Date(from),
      to: new Date(Date.parse(to) + DAY_MS),
      sid: roomId === undefined ? null : (room?.sid ?? NO_ROOM),
      now,
    };
    return { filter, dateRange: { from, to }, room };
  }

  /** The participant's latest name and role; null for an unknown uid. */
  async findParticipant({ organizationId, uid }: SessionsQuery) {
    const identity = await this.store.findIdentity(organizationId, uid);
    return { uid, name: identity?.name ?? null, role: identity?.role ?? null };
  }

  private async grouped({ page, limit }: SessionsQuery, filter: SessionFilter, totals: Totals) {
    const groups = await this.store.groups(filter, limit, (page - 1) * limit);
    const sessions = await this.store.newestByRoom(
      filter,
      groups.map(({ sid }) => sid),
      SESSIONS_PER_GROUP,
    );
    const roomGroups = groups.map((group) => ({
      roomId: group.roomId,
      roomTitle: group.title,
      sessions: sessions.filter(({ sid }) => sid === group.sid).map(toRow),
      ...toTotals(group),
      sessionCount: group.sessions,
    }));
    return { roomGroups, pagination: { page, limit, totalRooms: totals.rooms, hasMore: page * limit < totals.rooms } };
  }

  private async inRoom({ page, limit }: SessionsQuery, roomId: string, { filter, room }: ReportScope, totals: Totals) {
    const sessions = await this.store.page(filter, limit, (page - 1) * limit);
    return {
      room: { roomId, roomTitle: room?.title ?? null, ...toTotals(totals) },
      sessions: sessions.map(toRow),
      pagination: { page, limit, total: totals.sessions, hasMore: page * limit < totals.sessions },
    };
  }
}

/** Whole seconds are summed, and rounded up to credits once. */
const toTotals = ({ seconds, sessions }: { seconds: number; sessions: number }) => ({
  totalDuration: seconds,
  totalCredits: creditsOf(seconds),
  averageDuration: sessions === 0 ? 0 : Math.round(seconds / sessions),
});

const toSummary = (totals: Totals) => ({ totalSessions: totals.sessions, ...toTotals(totals) });

const toRow = ({ joinedAt, leftAt, seconds, ip, openedBy, closedBy }: SessionRecord) => ({
  joinedAt: joinedAt.toISOString(),
  leftAt: leftAt?.toISOString() ?? null,
  duration: seconds,
  creditsConsumed: sessionCredits(seconds),
  ...(ip ? { ipAddress: ip } : {}),
  isActive: leftAt === null,
  openedBy,
  closedBy,
});
