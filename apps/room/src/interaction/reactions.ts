import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, sendReaction, type Reaction, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { ClassChanges } from './class-states.js';
import { ReactionsRepository } from './class-states.repository.js';

const WINDOW_MS = 5_000;
const REACTIONS_PER_WINDOW = 8;
/** Milliseconds for which reactions are stored. After that, no participant who reconnects would see them. */
const RETENTION_MS = 60_000;

@Injectable()
export class Reactions {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly reactions: ReactionsRepository,
    private readonly changes: ClassChanges,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, RATE_LIMITED */
  @Handles(sendReaction)
  async sendReaction({ caller, emoji }: RpcInput<typeof sendReaction>): Promise<Reaction> {
    const sentAt = this.clock.wall();
    return this.database.transaction(async (tx) => {
      const { participant } = await this.authorizer.requirePermission(tx, caller, 'react');
      const since = new Date(sentAt.getTime() - WINDOW_MS);
      if ((await this.reactions.countSince(tx, caller.sid, caller.uid, since)) >= REACTIONS_PER_WINDOW) {
        throw new AppError('RATE_LIMITED', { message: 'Too many reactions; wait a moment' });
      }
      const version = await this.changes.record(tx, caller.sid, 'reactions');
      const { uid, name } = participant;
      const id = randomUUID();
      await this.reactions.add(tx, { sid: caller.sid, version, id, uid, name, emoji, sentAt });
      await this.participants.countReaction(tx, caller.sid, uid);
      return { id, uid, name, emoji, sentAt: sentAt.toISOString() };
    });
  }

  async deleteExpired(): Promise<void> {
    await this.reactions.deleteBefore(new Date(this.clock.wall().getTime() - RETENTION_MS));
  }
}
