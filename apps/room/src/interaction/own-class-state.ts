import { Injectable } from '@nestjs/common';
import { AppError, getClassState, type ClassState, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { ActingParticipant } from '../participants/acting-participant.js';
import { ClassStates } from './class-states.js';
import { PollVotesRepository } from './poll-votes.repository.js';

/** Returns a class's shared state to one participant, with that participant's votes. */
@Injectable()
export class OwnClassState {
  constructor(
    private readonly acting: ActingParticipant,
    private readonly states: ClassStates,
    private readonly votes: PollVotesRepository,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(getClassState)
  async execute({ caller, after }: RpcInput<typeof getClassState>): Promise<ClassState> {
    await this.acting.look(caller);
    const update = await this.states.since(caller.sid, after);
    if (!update) throw new AppError('UNAUTHORIZED');
    const ownVotes = update.polls ? await this.votes.own(caller.sid, caller.uid) : {};
    return { ...update, ownVotes };
  }
}
