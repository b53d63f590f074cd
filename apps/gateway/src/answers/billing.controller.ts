import { Controller, Req, StreamableFile } from '@nestjs/common';
import {
  billingRpc,
  countReport,
  explainEntry,
  getAttendance,
  getOrganization,
  getParticipantSessions,
  getStatementPdf,
  type EndpointInput,
  type Organization,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyRequest } from 'fastify';
import { CallingOrganization, Endpoint, Input, OrganizationId, success } from '../http/endpoint.js';
import { allPages, LongAnswers } from '../http/long-answers.js';

@Controller()
export class BillController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly longAnswers: LongAnswers,
  ) {}

  @Endpoint(explainEntry)
  async explainEntry(@OrganizationId() organizationId: string, @Input() { params: { entryId } }: EndpointInput<typeof explainEntry>) {
    const pages = await allPages((cursor) => this.rpc.call(billingRpc.explain, { organizationId, entryId, cursor }));
    const [{ nextCursor: _, aiUsage, ...explanation }] = pages;
    return success({
      ...explanation,
      sessions: pages.flatMap(({ sessions }) => sessions),
      ...(aiUsage ? { aiUsage: pages.flatMap((page) => page.aiUsage ?? []) } : {}),
    });
  }

  @Endpoint(getStatementPdf)
  async getStatementPdf(
    @Req() { requestContext: { caller } }: FastifyRequest,
    @OrganizationId() organizationId: string,
    @Input() { params: { statementId }, query: { language } }: EndpointInput<typeof getStatementPdf>,
  ) {
    const { name } = 'organization' in caller ? caller.organization : await this.rpc.call(getOrganization, { organizationId });
    const query = { organizationId, statementId, name, language };
    const { reply, text } = await this.longAnswers.read(billingRpc.exportStatement, query);
    const file = Buffer.from(text, 'base64');
    const fileName = `statement-${reply.cycleStart.slice(0, 10)}.pdf`;
    return new StreamableFile(file, { type: 'application/pdf', disposition: `attachment; filename="${fileName}"`, length: file.length });
  }
}

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
