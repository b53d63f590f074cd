import { Injectable } from '@nestjs/common';
import { MAX_LISTED_WAITING, type WaitingParticipant } from '@classroom/contracts';
import { Clock } from '@classroom/platform';
import { ParticipantsRepository } from './participants.repository.js';

/** Milliseconds after which a page that does not ask no longer waits. Pages ask every few seconds, hidden ones at least once a minute. */
export const WAITING_TTL_MS = 75_000;

/** Who is in the waiting room of a class, with an open page. */
@Injectable()
export class WaitingRoomList {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly clock: Clock,
  ) {}

  /** The longest waiting first. */
  async list(sid: string): Promise<WaitingParticipant[]> {
    const rows = await this.participants.listWaiting(sid, this.seenAfter(), MAX_LISTED_WAITING);
    return rows.map(({ waitsSince, ...person }) => ({ ...person, waitingSince: waitsSince.toISOString() }));
  }

  /** Pages that asked after this instant are still there. */
  seenAfter(): Date {
    return new Date(this.clock.wall().getTime() - WAITING_TTL_MS);
  }
}
