import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AppError,
  invalidField,
  listChatMessages,
  sendChatMessage,
  type ChatMessage,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { ChatRepository, MESSAGES_BYTES } from './chat.repository.js';
import { ClassChanges } from './class-changes.js';

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

  /** A repeated `id` returns the message that was sent first. @throws AppError UNAUTHORIZED, ROOM_ENDED, RATE_LIMITED, VALIDATION_FAILED */
  @Handles(sendChatMessage)
  async sendChatMessage({ caller, text, id = randomUUID() }: RpcInput<typeof sendChatMessage>): Promise<ChatMessage> {
    const sentAt = this.clock.wall();
    return this.database.transaction(async (tx) => {
      const { participant } = await this.authorizer.requireCurrentSession(tx, caller);
      const sent = await this.messages.find(tx, caller.sid, id);
      if (sent && sent.uid !== caller.uid) throw invalidField('id', 'is another message’s');
      if (sent) return sent;
      const since = new Date(sentAt.getTime() - WINDOW_MS);
      if ((await this.messages.countSince(tx, caller.sid, caller.uid, since)) >= MESSAGES_PER_WINDOW) {
        throw new AppError('RATE_LIMITED', { message: 'Too many messages; wait a moment' });
      }
      const version = await this.changes.record(tx, caller.sid, 'chat');
      const { uid, name, role } = participant;
      const message = { id, uid, name, role, text, sentAt: sentAt.toISOString(), version };
      await this.messages.add(tx, caller.sid, message);
      return message;
    });
  }

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(listChatMessages)
  async listChatMessages({ caller, before, limit }: RpcInput<typeof listChatMessages>): Promise<RpcOutput<typeof listChatMessages>> {
    await this.authorizer.requireReadAccess(caller);
    return this.messages.page(caller.sid, { before, limit, bytes: MESSAGES_BYTES });
  }
}
