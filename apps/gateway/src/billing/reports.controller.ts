import { Controller } from '@nestjs/common';
import {
  billingRpc,
  countReport,
  getAttendance,
  getParticipantSessions,
  type EndpointInput,
  type Organization,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { allPages, LongAnswers } from '../http/long-answers.js';
import { success } from '../http/envelope.js';

interface OneRoom {
  organizationId: string;
  roomId: string;
}

@Controller()
export class ReportsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly longAnswers: LongAnswers,
  ) {}

  @Endpoint(getParticipantSessions)
  async getParticipantSessions(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { body }: EndpointInput<typeof getParticipantSessions>,
  ) {
    const query = { ...body, organizationId };
    const isTable = body.format === 'table';
    if (body.export === 'csv')
      return this.longAnswers.csv(billingRpc.exportSessions, { ...query, isTable }, 'participant-sessions.csv', body.bom);
    return success(await this.rpc.call(billingRpc.sessions, query));
  }

  @Endpoint(getAttendance)
  async getAttendance(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, query }: EndpointInput<typeof getAttendance>,
  ) {
    const room = { organizationId, roomId: params.roomId };
    const isTable = query.format === 'table';
    if (query.export === 'csv')
      return this.longAnswers.csv(billingRpc.exportAttendance, { ...room, isTable }, 'attendance.csv', query.bom === 'true');
    return success(await this.attendanceOf(room));
  }

  private async attendanceOf(room: OneRoom) {
    const pages = await allPages((cursor) => this.rpc.call(billingRpc.attendance, { ...room, cursor }));
    const [{ nextCursor: _, ...report }] = pages;
    const participants = pages.flatMap((page) => page.participants).sort(byFirstJoin);
    const { evaluation } = report;
    const neverJoined = pages.flatMap((page) => page.neverJoined ?? []);
    const evaluated = evaluation && { evaluation: { ...evaluation, counts: countReport({ participants, neverJoined }) }, neverJoined };
    return { ...report, totalParticipants: participants.length, participants, ...evaluated };
  }
}

type Participant = RpcOutput<typeof billingRpc.attendance>['participants'][number];

/** Times are UTC with milliseconds, so they can be compared as text. Participants with equal times stay in the order of their uids. */
const byFirstJoin = (a: Participant, b: Participant) =>
  a.firstJoinedAt === b.firstJoinedAt ? 0 : a.firstJoinedAt < b.firstJoinedAt ? -1 : 1;
