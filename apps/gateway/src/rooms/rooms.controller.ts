import { Controller, StreamableFile } from '@nestjs/common';
import {
  boardRpc,
  getRoomBoard,
  interactionRpc,
  listRoomChat,
  listRoomPolls,
  listRooms,
  pollReport,
  type EndpointInput,
  type Organization,
  type RoomBoard,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { z } from 'zod';
import { csvFile, LongAnswers } from '../http/long-answers.js';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { roomsCsv } from './rooms-csv.js';

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
