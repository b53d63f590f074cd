import { Injectable } from '@nestjs/common';
import {
  AppError,
  chatMessageDeleted,
  chatMessageReported,
  deleteChatMessage,
  reportChatMessage,
  type ChatMessage,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { tooEarly } from './chat.js';
import { BACKEND, ChatReportsRepository, ChatRepository, type ChatViewer } from './chat.repository.js';
import { ClassChanges, toViewer } from './class-states.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { permissionsOf } from '../participants/participant-rights.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

/** How many messages a participant may report within this time (milliseconds): each report is an event for the backend. */
const WINDOW_MS = 60_000;
const REPORTS_PER_WINDOW = 10;

/** Deletes messages and reports them. */
@Injectable()
export class ModerateChat {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly rooms: RoomsRepository,
    private readonly messages: ChatRepository,
    private readonly reports: ChatReportsRepository,
    private readonly changes: ClassChanges,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** A backend also deletes after the class. @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, ROOM_ENDED, CHAT_MESSAGE_NOT_FOUND */
  @Handles(deleteChatMessage)
  async deleteChatMessage(input: RpcInput<typeof deleteChatMessage>): Promise<ChatMessage> {
    return this.database.transaction(async (tx) => {
      if ('caller' in input) {
        const { room, participant } = await this.authorizer.requirePermission(tx, input.caller, 'manageParticipants');
        return this.delete(tx, room, input.messageId, participant.uid);
      }
      const room = await this.rooms.lock(tx, input.organizationId, input.roomId);
      if (!room) throw new AppError('ROOM_NOT_FOUND');
      return this.delete(tx, room, input.messageId, null);
    });
  }

  /** A repeated report returns the time of the first. @throws AppError UNAUTHORIZED, ROOM_ENDED, CHAT_MESSAGE_NOT_FOUND, RATE_LIMITED */
  @Handles(reportChatMessage)
  async reportChatMessage({ caller, messageId }: RpcInput<typeof reportChatMessage>): Promise<RpcOutput<typeof reportChatMessage>> {
    const reportedAt = this.clock.wall();
    return this.database.transaction(async (tx) => {
      const { room, participant } = await this.authorizer.requireCurrentSession(tx, caller);
      const { uid } = participant;
      const viewer = toViewer({ uid, permissions: permissionsOf(room, participant) });
      const message = await this.find(tx, room, messageId, viewer);
      const earlier = await this.reports.findTime(tx, room.sid, message.version, uid);
      if (earlier) return { messageId, reportedAt: earlier.toISOString() };
      if (message.deletedAt) throw new AppError('CHAT_MESSAGE_NOT_FOUND');
      const since = new Date(reportedAt.getTime() - WINDOW_MS);
      if ((await this.reports.countSince(tx, room.sid, uid, since)) >= REPORTS_PER_WINDOW) throw tooEarly('Too many reports', WINDOW_MS);
      await this.reports.add(tx, room.sid, message.version, uid, reportedAt);
      await this.messages.markChanged(tx, room.sid, message.version, await this.changes.record(tx, room.sid, 'chat'));
      const data = { ...toEventRoom(room), messageId, uid: message.uid, reportedBy: uid, reportedAt: reportedAt.toISOString() };
      await this.outbox.add(tx, fact(chatMessageReported, room.sid, data));
      return { messageId, reportedAt: reportedAt.toISOString() };
    });
  }

  /** Deleting again changes nothing: the first deletion is returned. @param deletedBy null for the organization's backend */
  private async delete(tx: Transaction, room: Room, messageId: string, deletedBy: string | null): Promise<ChatMessage> {
    const message = await this.find(tx, room, messageId, BACKEND);
    if (message.deletedAt) return message;
    const deletedAt = this.clock.wall();
    const version = await this.changes.record(tx, room.sid, 'chat');
    await this.messages.delete(tx, room.sid, message.version, deletedAt, deletedBy, version);
    const tombstone = { ...message, text: '', deletedAt: deletedAt.toISOString(), deletedBy };
    const data = { ...toEventRoom(room), messageId, uid: message.uid, deletedBy: deletedBy ?? '', deletedAt: tombstone.deletedAt };
    await this.outbox.add(tx, fact(chatMessageDeleted, room.sid, data));
    return tombstone;
  }

  private async find(tx: Transaction, room: Room, messageId: string, viewer: ChatViewer): Promise<ChatMessage> {
    const message = await this.messages.find(tx, room.sid, messageId, viewer);
    if (!message) throw new AppError('CHAT_MESSAGE_NOT_FOUND');
    return message;
  }
}
