import { Controller, StreamableFile } from '@nestjs/common';
import {
  boardRpc,
  engagementRpc,
  getRoomBoard,
  interactionRpc,
  listEngagement,
  listRoomChat,
  listRoomPolls,
  listRooms,
  pollReport,
  tutorRpc,
  type EndpointInput,
  type Organization,
  type RoomBoard,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { cell, line, logger } from '@classroom/platform';
import { z } from 'zod';
import { CallingOrganization, Endpoint, Input, success } from '../http/endpoint.js';
import { csvFile, LongAnswers, pagesFrom } from '../http/long-answers.js';

type Page = RpcOutput<typeof listRooms>;
type Room = Page['rooms'][number];

const HEADER = 'Room ID,Title,Status,Planned Start,Started At,Ended At,Duration (Minutes),Teachers,Participants';

/** The list of classes as CSV, one row each. A page is read when the reader has taken the one before. */
export async function* roomsCsv(first: Page, read: (cursor: string) => Promise<Page>): AsyncGenerator<string> {
  yield line(HEADER);
  for await (const { rooms } of pagesFrom(first, read)) if (rooms.length > 0) yield rooms.map(toLine).join('');
}

const toLine = ({ roomId, title, status, startsAt, startedAt, endedAt, teachers = [], totalParticipants }: Room) =>
  line(
    [
      cell(roomId),
      cell(title),
      status,
      startsAt ?? '',
      startedAt ?? '',
      endedAt ?? '',
      startedAt && endedAt ? ((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000).toFixed(2) : '',
      cell(teachers.join(', ')),
      totalParticipants ?? '',
    ].join(','),
  );

/** Rooms in one RPC of an export. */
const EXPORT_PAGE_SIZE = 100;
const reports = z.array(pollReport);

@Controller()
export class RoomsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly longAnswers: LongAnswers,
  ) {}

  @Endpoint(listRooms)
  async listRooms(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { query: { export: form, bom, ...query } }: EndpointInput<typeof listRooms>,
  ) {
    if (form === 'json') return success(await this.rpc.call(listRooms, { ...query, organizationId }), 'Rooms');
    const read = (cursor?: string) => this.rpc.call(listRooms, { ...query, organizationId, cursor, limit: EXPORT_PAGE_SIZE });
    // The first page is read before the answer begins, so that an error is an ordinary error response.
    return csvFile(roomsCsv(await read(), read), 'classes.csv', bom === 'true');
  }

  @Endpoint(listRoomPolls)
  async listRoomPolls(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params: { roomId } }: EndpointInput<typeof listRoomPolls>,
  ) {
    const { text } = await this.longAnswers.read(interactionRpc.exportPolls, { organizationId, roomId });
    return success(reports.parse(JSON.parse(text)), 'Polls');
  }

  @Endpoint(getRoomBoard)
  async getRoomBoard(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params: { roomId }, query: { format, ...query } }: EndpointInput<typeof getRoomBoard>,
  ) {
    const room = { organizationId, roomId, ...query };
    if (format === 'pdf' || format === 'png') {
      const file = { type: format === 'pdf' ? 'application/pdf' : 'image/png', fileName: `board.${format}` };
      return this.longAnswers.file(boardRpc.file, { ...room, format }, file);
    }
    const { text } = await this.longAnswers.read(boardRpc.export, { ...room, format });
    if (format === 'json') return success(JSON.parse(text) as RoomBoard, 'Board');
    return new StreamableFile(Buffer.from(text), { type: 'image/svg+xml', disposition: 'attachment; filename="board.svg"' });
  }

  @Endpoint(listRoomChat)
  async listRoomChat(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params: { roomId }, query: { export: form, format, bom, ...page } }: EndpointInput<typeof listRoomChat>,
  ) {
    if (form === 'json') return success(await this.rpc.call(interactionRpc.chatPage, { organizationId, roomId, ...page }), 'Chat');
    const query = { organizationId, roomId, isTable: format === 'table' };
    return this.longAnswers.csv(interactionRpc.exportChat, query, 'chat.csv', bom === 'true');
  }
}

/** The room service knows what happened in class, the AI service who asked the tutor. */
@Controller()
export class EngagementController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(listEngagement)
  async listEngagement(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params: { roomId }, query }: EndpointInput<typeof listEngagement>,
  ) {
    const { sid, participants, nextCursor } = await this.rpc.call(engagementRpc.page, { organizationId, roomId, ...query });
    const uids = participants.map(({ uid }) => uid);
    const questions = await this.countQuestions({ organizationId, sid, uids });
    const withQuestions = participants.map((one) => ({ ...one, tutorQuestions: questions && (questions.get(one.uid) ?? 0) }));
    return success({ participants: withQuestions, nextCursor }, 'Engagement');
  }

  /** By uid. Null if the AI service does not answer: the rest of the report does not depend on it. */
  private async countQuestions(of: { organizationId: string; sid: string; uids: string[] }): Promise<ReadonlyMap<string, number> | null> {
    try {
      const { students } = await this.rpc.call(tutorRpc.countQuestions, of);
      return new Map(students.map(({ uid, questions }) => [uid, questions]));
    } catch (error) {
      logger.warn({ err: error, sid: of.sid }, 'questions to the tutor are not known');
      return null;
    }
  }
}
