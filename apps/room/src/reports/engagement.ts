import { Injectable } from '@nestjs/common';
import {
  AppError,
  engagementRpc,
  MAX_SUMMARIZED,
  reportMinutes,
  type CountedEngagement,
  type engagementSummarized,
  type EngagementTotals,
  type EventData,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { cursorOf, type Transaction } from '@classroom/persistence';
import { z } from 'zod';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { EngagementRepository, ParticipantMinutesRepository, type CountedParticipant } from './participant-minutes.repository.js';
import { toMinuteRow } from './to-minute-row.js';

/** Seconds, rounded to tenths. */
export const tenths = (seconds: number) => Math.round(seconds * 10) / 10;

const toEngagement = ({
  connectedSeconds,
  measuredSeconds,
  talkSeconds,
  cameraSeconds,
  ...counts
}: CountedParticipant): CountedEngagement => ({
  ...counts,
  connectedSeconds: tenths(connectedSeconds),
  measuredSeconds: tenths(measuredSeconds),
  talkSeconds: talkSeconds === null ? null : tenths(talkSeconds),
  cameraSeconds: cameraSeconds === null ? null : tenths(cameraSeconds),
});

/** Bytes of the participants at most, as JSON: what a webhook's receiver may be expected to accept. */
const PARTICIPANTS_BYTES = 128 * 1024;

const NOTHING: EngagementTotals = {
  participants: 0,
  connections: 0,
  connectedSeconds: 0,
  measuredSeconds: 0,
  talkSeconds: null,
  cameraSeconds: null,
  handsRaised: 0,
  chatMessages: 0,
  reactions: 0,
  boardElements: 0,
  pollAnswers: 0,
};

const sumOf = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : tenths(a + b));

/** Sums over participants who are added one page after another, and the first of them. */
export class EngagementSummary {
  private totals = NOTHING;
  private count = 0;
  private first: CountedEngagement[] = [];

  add(page: readonly CountedEngagement[]): void {
    this.count += page.length;
    this.first = [...this.first, ...page].slice(0, MAX_SUMMARIZED);
    for (const one of page) {
      const { totals } = this;
      this.totals = {
        participants: totals.participants + (one.connections > 0 ? 1 : 0),
        connections: totals.connections + one.connections,
        connectedSeconds: tenths(totals.connectedSeconds + one.connectedSeconds),
        measuredSeconds: tenths(totals.measuredSeconds + one.measuredSeconds),
        talkSeconds: sumOf(totals.talkSeconds, one.talkSeconds),
        cameraSeconds: sumOf(totals.cameraSeconds, one.cameraSeconds),
        handsRaised: totals.handsRaised + one.handsRaised,
        chatMessages: totals.chatMessages + one.chatMessages,
        reactions: totals.reactions + one.reactions,
        boardElements: totals.boardElements + one.boardElements,
        pollAnswers: totals.pollAnswers + one.pollAnswers,
      };
    }
  }

  get result(): Pick<EventData<typeof engagementSummarized>, 'totals' | 'participants' | 'furtherParticipants'> {
    const participants = fitMessage(this.first, PARTICIPANTS_BYTES);
    return { totals: this.totals, participants, furtherParticipants: this.count - participants.length };
  }
}

/** Participants read at once. */
const PAGE = 200;

/** How everyone took part in a class, in an event's size. */
@Injectable()
export class SummarizeEngagement {
  constructor(
    private readonly engagement: EngagementRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  async execute(tx: Transaction, sid: string): Promise<EngagementSummary['result']> {
    const summary = new EngagementSummary();
    for (let after = ''; ;) {
      const rows = await this.engagement.page(sid, after, this.livekitClock.seconds(), PAGE, tx);
      summary.add(rows.map(toEngagement));
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return summary.result;
      after = last.uid;
    }
  }
}

/** The last uid of a page. */
const cursors = cursorOf(z.string().max(128));

/** How everyone took part in a class, for the organization's backend. */
@Injectable()
export class ListEngagement {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly engagement: EngagementRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** In the order of uids. @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED (cursor) */
  @Handles(engagementRpc.page)
  async execute(input: RpcInput<typeof engagementRpc.page>): Promise<RpcOutput<typeof engagementRpc.page>> {
    const { organizationId, roomId, cursor, limit } = input;
    const after = cursor === undefined ? '' : cursors.decode(cursor);
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const rows = await this.engagement.page(room.sid, after, this.livekitClock.seconds(), limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { sid: room.sid, participants: shown.map(toEngagement), nextCursor: last ? cursors.encode(last.uid) : null };
  }
}

/** Seconds after the class in which pages report their last minutes. After that, the engagement of its participants is final. */
export const LATE_S = 300;

/**
 * Stores what a participant's page measured. The page also reports after its participant was removed or replaced, and after the class: the
 * session need not be the current one. It writes of its own connections alone.
 */
@Injectable()
export class RecordMinutes {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly minutes: ParticipantMinutesRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(reportMinutes)
  async execute({ caller: { sid, uid }, minutes }: RpcInput<typeof reportMinutes>): Promise<RpcOutput<typeof reportMinutes>> {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('UNAUTHORIZED');
    const now = this.livekitClock.seconds();
    if (room.endedAt && now - room.endedAt.getTime() / 1000 > LATE_S) throw new AppError('ROOM_ENDED');
    return { stored: await this.minutes.add(sid, uid, minutes.map(toMinuteRow), now) };
  }
}
