import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Clock, Lease } from '@classroom/platform';
import type { ChatName } from './turn-plan.js';
import { ChatsRepository, type LeasedChat } from './chats.repository.js';
import { KeyedQueue, type QueueEntry } from './keyed-queue.js';

/** Lease time in milliseconds: a process that does not renew its lease for this long counts as dead. */
const LEASE_MS = 15_000;
const TIMEOUT_MS = 30_000;
const POLL_MS = 100;

/** The right to answer in a chat. */
export interface ChatLease {
  chat: LeasedChat;
  holder: string;
  /** Stops renewing the lease. The transaction that stores the turn releases the row. */
  end(): void;
}

/** Allows one turn of a chat at a time across all processes. Within a process, turns run in the order of their arrival. */
@Injectable()
export class ChatLeases {
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly chats: ChatsRepository,
    private readonly clock: Clock,
  ) {}

  /** Call it when a turn arrives, before any other check. The caller must leave the place when the turn has ended. */
  enqueue(chat: string): QueueEntry {
    return this.queue.enqueue(chat);
  }

  /**
   * @param turn aborting it ends the wait; it is aborted with SERVICE_UNAVAILABLE if another process takes the chat because our lease
   * expired
   * @throws AppError CHAT_BUSY after 30 s, or the turn's abort reason
   */
  async acquire(name: ChatName, entry: QueueEntry, turn: AbortController): Promise<ChatLease> {
    const { signal } = turn;
    const deadline = performance.now() + TIMEOUT_MS;
    await entry.waitForTurn(TIMEOUT_MS, signal);
    const holder = randomUUID();
    for (;;) {
      const chat = await this.chats.lease(name, holder, this.clock.wall(), this.expiry());
      if (chat) return this.toLease(chat, holder, turn);
      if (performance.now() > deadline) throw new AppError('CHAT_BUSY');
      // Random, so that waiting processes do not poll in step.
      await pause(POLL_MS * (1 + Math.random()));
      signal.throwIfAborted();
    }
  }

  private toLease(chat: LeasedChat, holder: string, turn: AbortController): ChatLease {
    const lease = new Lease('chat-lease', { ms: LEASE_MS }, () => this.chats.renew(chat.chatKey, holder, this.expiry()));
    lease.signal.addEventListener('abort', () =>
      turn.abort(new AppError('SERVICE_UNAVAILABLE', { message: 'The answer took too long to be kept; ask again' })),
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    void lease.during(() => promise);
    return { chat, holder, end: resolve };
  }

  /** Wall time, because processes on several machines compare it. */
  private expiry(): Date {
    return new Date(this.clock.wall().getTime() + LEASE_MS);
  }
}
