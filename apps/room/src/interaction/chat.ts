import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AppError,
  interactionRpc,
  invalidField,
  listChatMessages,
  sendChatMessage,
  type ChatMessage,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Handles, TextStreams } from '@classroom/messaging';
import { cursorOf, Database, type Transaction } from '@classroom/persistence';
import { Clock, cell, line, row } from '@classroom/platform';
import { z } from 'zod';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { permissionsOf } from '../participants/participant-rights.js';
import type { Participant } from '../participants/participants.repository.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import type { Room } from '../rooms/room.js';
import { settingsOf } from '../schema/settings.js';
import { BACKEND, ChatRepository, MESSAGES_BYTES, type NewMessage } from './chat.repository.js';
import { ClassChanges, toViewer } from './class-states.js';

/** Rejects what comes too early. @param waitMs milliseconds after which the next one is accepted, at least 1 */
export function tooEarly(message: string, waitMs: number): AppError {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new AppError('RATE_LIMITED', { message, details: [{ path: 'retryAfter', message: seconds }] });
}

/** Milliseconds that remain of a student's wait at `now`; 0 if there is none. */
export function remainingWait(slowModeSeconds: number, lastSentAt: Date | undefined, now: Date): number {
  if (!lastSentAt) return 0;
  // A clock that was set back must not silence a student for longer than the setting.
  return Math.min(slowModeSeconds * 1000, Math.max(0, lastSentAt.getTime() + slowModeSeconds * 1000 - now.getTime()));
}

/** How many messages a participant may send within this time (milliseconds) before further ones are rejected. */
const WINDOW_MS = 10_000;
const MESSAGES_PER_WINDOW = 10;

@Injectable()
export class Chat {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly messages: ChatRepository,
    private readonly changes: ClassChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * A repeated `id` returns the message that was sent first, whatever the settings are now. The room's lock makes messages of one
   * participant wait for each other, so that two at the same time cannot both pass slow mode.
   * @throws AppError UNAUTHORIZED, ROOM_ENDED, FORBIDDEN, CHAT_OFF, RATE_LIMITED, VALIDATION_FAILED
   */
  @Handles(sendChatMessage)
  async sendChatMessage({ caller, text, id = randomUUID() }: RpcInput<typeof sendChatMessage>): Promise<ChatMessage> {
    const sentAt = this.clock.wall();
    return this.database.transaction(async (tx) => {
      const { room, participant } = await this.authorizer.requireCurrentSession(tx, caller);
      const sent = await this.messages.find(tx, caller.sid, id, BACKEND);
      if (sent) return asAuthor(sent, caller.uid);
      await this.requireTurn(tx, room, participant, sentAt);
      const version = await this.changes.record(tx, caller.sid, 'chat');
      const { uid, name, role } = participant;
      const isPrivate = settingsOf(room).chat.mode === 'TEACHERS' && !isExempt(room, participant);
      const message: NewMessage = { id, uid, name, role, text, sentAt: sentAt.toISOString(), version };
      if (isPrivate) message.audience = 'TEACHERS';
      await this.messages.add(tx, caller.sid, message);
      return message;
    });
  }

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(listChatMessages)
  async listChatMessages({ caller, before, limit }: RpcInput<typeof listChatMessages>): Promise<RpcOutput<typeof listChatMessages>> {
    const viewer = toViewer(await this.authorizer.requireReadAccess(caller));
    return this.messages.page(caller.sid, viewer, { before, limit, bytes: MESSAGES_BYTES });
  }

  /** @throws AppError FORBIDDEN, CHAT_OFF, RATE_LIMITED */
  private async requireTurn(tx: Transaction, room: Room, participant: Participant, now: Date): Promise<void> {
    const { uid } = participant;
    if (!permissionsOf(room, participant).chat) throw new AppError('FORBIDDEN', { message: 'You may not write in the chat' });
    const since = new Date(now.getTime() - WINDOW_MS);
    if ((await this.messages.countSince(tx, room.sid, uid, since)) >= MESSAGES_PER_WINDOW) {
      throw tooEarly('Too many messages; wait a moment', WINDOW_MS);
    }
    if (isExempt(room, participant)) return;
    const { mode, slowModeSeconds } = settingsOf(room).chat;
    if (mode === 'OFF') throw new AppError('CHAT_OFF');
    if (slowModeSeconds === 0) return;
    const wait = remainingWait(slowModeSeconds, await this.messages.lastSentAt(tx, room.sid, uid), now);
    if (wait > 0) throw tooEarly('Slow mode: wait before the next message', wait);
  }
}

/** What the author gets of a message: how often it was reported is not for students. @throws AppError VALIDATION_FAILED for another's */
function asAuthor({ reports: _, ...message }: ChatMessage, uid: string): ChatMessage {
  if (message.uid !== uid) throw invalidField('id', 'is another message’s');
  return message;
}

/** The chat settings are for those who do not manage participants: usually students. */
const isExempt = (room: Room, participant: Participant) => permissionsOf(room, participant).manageParticipants;

/** The version of the last message of a page. */
const cursors = cursorOf(z.number().int().min(0));

/** The chat for the organization's backend, also after the class. */
@Injectable()
export class ListRoomChat {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly messages: ChatRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED (cursor) */
  @Handles(interactionRpc.chatPage)
  async execute(input: RpcInput<typeof interactionRpc.chatPage>): Promise<RpcOutput<typeof interactionRpc.chatPage>> {
    const { organizationId, roomId, cursor, limit } = input;
    const after = cursor === undefined ? 0 : cursors.decode(cursor);
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const { messages, hasMore } = await this.messages.exportPage(room.sid, after, limit);
    const last = messages.at(-1);
    return { messages, nextCursor: hasMore && last ? cursors.encode(last.version) : null };
  }
}

/** Messages that are read together. */
const PAGE_SIZE = 200;
const HEADER = 'Sent At,UID,Name,Role,Message,Visible To,Reports,Deleted At,Deleted By,Message ID';

/** The chat for the organization's backend as CSV, also after the class. */
@Injectable()
export class ExportChat {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly messages: ChatRepository,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(interactionRpc.exportChat)
  async execute(input: RpcInput<typeof interactionRpc.exportChat>): Promise<RpcOutput<typeof interactionRpc.exportChat>> {
    const { organizationId, roomId, isTable, inbox } = input;
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return this.streams.open(inbox, () => chatCsv(room, isTable, this.pages(room.sid)));
  }

  /** A page is read when the reader has taken the one before. */
  private async *pages(sid: string): AsyncGenerator<ChatMessage[]> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const { messages, hasMore }: Awaited<ReturnType<ChatRepository['exportPage']>> = await this.messages.exportPage(
        sid,
        after,
        PAGE_SIZE,
      );
      yield messages;
      after = hasMore ? messages.at(-1)?.version : undefined;
    }
  }
}

/** A title and the room, unless it is a table, then one row per message. */
export async function* chatCsv(
  { roomId, title }: Pick<Room, 'roomId' | 'title'>,
  isTable: boolean,
  pages: AsyncIterable<ChatMessage[]>,
): AsyncGenerator<string> {
  const facts = isTable ? '' : line('Chat') + row('Room ID', roomId) + row('Room Title', title) + line();
  yield facts + line(HEADER);
  for await (const messages of pages) if (messages.length > 0) yield messages.map(toLine).join('');
}

const toLine = ({ id, uid, name, role, text, sentAt, audience, reports = 0, deletedAt, deletedBy }: ChatMessage) =>
  line(
    [
      sentAt,
      cell(uid),
      cell(name),
      role,
      cell(text),
      audience === 'TEACHERS' ? 'Teachers' : 'Everyone',
      reports,
      deletedAt ?? '',
      deletedAt ? cell(deletedBy ?? 'Backend') : '',
      id,
    ].join(','),
  );
