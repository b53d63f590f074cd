import { Injectable } from '@nestjs/common';
import { logger } from '@classroom/platform';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { RightsReconciler } from '../participants/rights-reconciler.js';
import { ApplyLists } from './apply-lists.js';

/**
 * Compares one room with LiveKit's list: applies what lost webhooks would have reported, and verifies the room up to the time
 * of the request. If LiveKit answers that there is no such room, that is an empty list; no answer is not.
 */
@Injectable()
export class ReconcileRoom {
  constructor(
    private readonly applyLists: ApplyLists,
    private readonly rights: RightsReconciler,
    private readonly livekit: LiveKitRooms,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** @throws AppError SERVICE_UNAVAILABLE if LiveKit does not answer: nothing was changed */
  async execute(sid: string): Promise<void> {
    const takenAt = this.livekitClock.seconds();
    const participants = (await this.livekit.participants(sid)) ?? [];
    const { toEvict, admitted } = await this.applyLists.execute({ sid, participants, takenAt });
    for (const uid of toEvict) await this.livekit.remove(sid, uid).catch(() => undefined);
    if (admitted) await this.rights.correct([admitted]);
  }

  /** After a change of rights that concerns a whole class. If it fails, the presence reconciler does it. */
  async soon(sid: string): Promise<void> {
    await this.execute(sid).catch((error: unknown) => logger.warn({ err: error, sid }, 'rights of a class not yet applied; will retry'));
  }
}
