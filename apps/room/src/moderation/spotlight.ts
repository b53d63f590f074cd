import { Injectable } from '@nestjs/common';
import { spotlightParticipant, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, inParallel } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { isPerson } from '../livekit/livekit-person.js';
import { SPOTLIT } from '../livekit/join-token.js';

const CONCURRENCY = 8;

/**
 * Shows one participant large to everyone. LiveKit has it, as an attribute of the connection, so that the pages, the recording and who comes
 * later follow it without a request, and a participant who leaves is shown no more. The latest one counts.
 */
@Injectable()
export class Spotlight {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, PARTICIPANT_NOT_FOUND, ROOM_ENDED, SERVICE_UNAVAILABLE */
  @Handles(spotlightParticipant)
  async spotlightParticipant({
    caller,
    uid,
    shown,
  }: RpcInput<typeof spotlightParticipant>): Promise<RpcOutput<typeof spotlightParticipant>> {
    const { sid } = caller;
    await this.database.transaction((tx) => this.authorizer.authorizeToTarget(tx, caller, uid));
    const people = ((await this.livekit.participants(sid)) ?? []).filter(isPerson);
    if (!people.some(({ identity }) => identity === uid)) return { uid, shown: false };
    // LiveKit deletes an attribute that is empty.
    const set = (one: string, value: string) => this.livekit.setAttributes(sid, one, { [SPOTLIT]: value });
    await set(uid, shown ? String(this.clock.wall().getTime()) : '');
    const others = shown ? people.filter(({ identity, attributes }) => identity !== uid && attributes[SPOTLIT]) : [];
    await inParallel(others, CONCURRENCY, ({ identity }) => set(identity, ''));
    return { uid, shown };
  }
}
