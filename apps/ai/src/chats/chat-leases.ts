import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Clock, logger } from '@classroom/platform';
import type { ChatName } from './chat-name.js';
import { ChatsRepository, type LeasedChat } from './chats.repository.js';
import { Lanes, type Place } from './lanes.js';

/** A process that says nothing for so long is dead. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const PATIENCE_MS = 30_000;
const POLL_MS = 100;

/** The right to answer in a chat. */
export interface Lease {
  chat: LeasedChat;
  holder: string;
  /** No more renewed; the row is released with what the turn wrote. */
  end(): void;
}

/** One turn of a chat at a time over all processes. Within a process who comes first goes first. */
@Injectable()
export class ChatLeases {
  private readonly lanes = new Lanes();

  constructor(
    private readonly chats: ChatsRepository,
    private readonly clock: Clock,
  ) {}

  /** Taken when a turn comes in, before anything about it is looked at; to be left when it is over. */
  place(chat: string): Place {
    return this.lanes.take(chat);
  }

  /**
   * @param turn ends the waiting, and is ended where another process took the chat, for we were thought dead
   * @throws AppError CHAT_BUSY after 30 s, or the turn's reason to end
   */
  async acquire(name: ChatName, place: Place, turn: AbortController): Promise<Lease> {
    const { signal } = turn;
    const deadline = performance.now() + PATIENCE_MS;
    await place.turn(PATIENCE_MS, signal);
    const holder = randomUUID();
    for (;;) {
      const chat = await this.chats.lease(name, holder, this.clock.wall(), this.until());
      if (chat) return this.held(chat, holder, turn);
      if (performance.now() > deadline) throw new AppError('CHAT_BUSY');
      // Not in step with the other processes that wait.
      await pause(POLL_MS * (1 + Math.random()));
      signal.throwIfAborted();
    }
  }

  private held(chat: LeasedChat, holder: string, turn: AbortController): Lease {
    const heart = setInterval(() => {
      this.chats.renew(chat.chatKey, holder, this.until()).then(
        (isOurs) => {
          if (!isOurs) turn.abort(new AppError('SERVICE_UNAVAILABLE', { message: 'The answer took too long to be kept; ask again' }));
        },
        // Who can't reach the database can't take the lease either.
        (error: unknown) => logger.warn({ err: error }, 'a chat’s lease could not be renewed'),
      );
    }, RENEW_MS);
    return { chat, holder, end: () => clearInterval(heart) };
  }

  /** Compared between machines, so in real time. */
  private until(): Date {
    return new Date(this.clock.wall().getTime() + LEASE_MS);
  }
}
