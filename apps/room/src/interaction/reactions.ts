import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  allowToSpeak,
  AppError,
  invalidField,
  lowerAllHands,
  lowerHand,
  raiseHand,
  sendReaction,
  type ClassroomCaller,
  type Hand,
  type Reaction,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { rightsOf, RightsReconciler } from '../participants/participant-rights.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { ClassChanges, ClassStates } from './class-states.js';
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

/** Raised hands, in the order in which they were raised. Each answer is the whole current list. */
@Injectable()
export class Hands {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly changes: ClassChanges,
    private readonly states: ClassStates,
    private readonly clock: Clock,
  ) {}

  /** A hand that is already raised keeps its place. Everyone may lower their own. @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(raiseHand)
  async raiseHand({ caller, raised }: RpcInput<typeof raiseHand>): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      if (raised) await this.authorizer.requirePermission(tx, caller, 'raiseHand');
      else await this.authorizer.requireCurrentSession(tx, caller);
      const changed = raised
        ? await this.participants.raiseHand(tx, caller.sid, caller.uid, this.clock.wall())
        : await this.participants.lowerHand(tx, caller.sid, caller.uid);
      if (changed) await this.changes.record(tx, caller.sid, 'hands');
    });
    return this.list(caller);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, PARTICIPANT_NOT_FOUND, ROOM_ENDED */
  @Handles(lowerHand)
  async lowerHand({ caller, uid }: RpcInput<typeof lowerHand>): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      await this.authorizer.authorizeToTarget(tx, caller, uid);
      if (await this.participants.lowerHand(tx, caller.sid, uid)) await this.changes.record(tx, caller.sid, 'hands');
    });
    return this.list(caller);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(lowerAllHands)
  async lowerAllHands({ caller }: RpcInput<typeof lowerAllHands>): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      await this.authorizer.requirePermission(tx, caller, 'manageParticipants');
      if (await this.participants.lowerHands(tx, caller.sid)) await this.changes.record(tx, caller.sid, 'hands');
    });
    return this.list(caller);
  }

  private async list({ sid }: ClassroomCaller): Promise<{ hands: Hand[] }> {
    return { hands: await this.states.hands(sid) };
  }
}

/** Gives students permission to use their microphone, and revokes it. */
@Injectable()
export class Speaking {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly changes: ClassChanges,
    private readonly states: ClassStates,
    private readonly rights: RightsReconciler,
    private readonly clock: Clock,
  ) {}

  /**
   * Permission lowers the student's hand. When it is revoked, the student's tracks end immediately. If LiveKit is unreachable,
   * the reconciler corrects LiveKit later.
   * @throws AppError UNAUTHORIZED, FORBIDDEN (also if the student's own permissions do), PARTICIPANT_NOT_FOUND, ROOM_ENDED, VALIDATION_FAILED (not a student)
   */
  @Handles(allowToSpeak)
  async allowToSpeak({ caller, uid, allowed }: RpcInput<typeof allowToSpeak>): Promise<RpcOutput<typeof allowToSpeak>> {
    const { room, target } = await this.database.transaction(async (tx) => {
      const { room, participant } = await this.authorizer.requirePermission(tx, caller, 'manageParticipants');
      const target = await this.participants.lock(tx, caller.sid, uid);
      if (!target) throw new AppError('PARTICIPANT_NOT_FOUND');
      if (target.role !== 'STUDENT') throw invalidField('uid', 'must be a student’s: everyone else may speak anyway');
      if (allowed && target.permissions?.publishAudio === false)
        throw new AppError('FORBIDDEN', { message: 'The participant may not use the microphone' });
      if (target.maySpeak === allowed) return { room, target };
      if (allowed) await this.participants.allowToSpeak(tx, caller.sid, uid, participant.name, this.clock.wall());
      else await this.participants.forbidToSpeak(tx, caller.sid, uid);
      await this.changes.record(tx, caller.sid, 'speakers', 'hands');
      return { room, target };
    });
    await this.rights.applyCorrections(caller.sid, [{ uid, ...rightsOf(room, { ...target, maySpeak: allowed }) }]);
    return { speakers: await this.states.speakers(caller.sid) };
  }
}
