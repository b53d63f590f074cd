import { Injectable } from '@nestjs/common';
import { AppError, getClassState, type ClassState, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { toViewer } from './class-viewer.js';
import { ClassStates } from './class-states.js';
import { PollVotesRepository } from './poll-votes.repository.js';

/** Returns a class's shared state to one participant, with that participant's votes. */
@Injectable()
export class GetClassState {
  constructor(
    private readonly authorizer: ClassAuthorizer,
    private readonly states: ClassStates,
    private readonly votes: PollVotesRepository,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(getClassState)
  async execute({ caller, after }: RpcInput<typeof getClassState>): Promise<ClassState> {
    const viewer = toViewer(await this.authorizer.requireReadAccess(caller));
    const update = await this.states.updateSince(caller.sid, viewer, after);
    if (!update) throw new AppError('UNAUTHORIZED');
    const ownVotes = update.polls ? await this.votes.findOwn(caller.sid, caller.uid) : {};
    return { ...update, ownVotes };
  }
}
