import { Injectable } from '@nestjs/common';
import { getAdmission, type OwnAdmission, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { isOutside } from '../participants/participant-rights.js';

/** Milliseconds: a page that asks more often is not recorded more often. */
const SEEN_INTERVAL_MS = 10_000;

/** Says to the page of a waiting participant whether it still waits, and records that the page is there. */
@Injectable()
export class GetAdmission {
  constructor(
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(getAdmission)
  async execute({ caller }: RpcInput<typeof getAdmission>): Promise<OwnAdmission> {
    const row = await this.authorizer.findOwnAdmission(caller);
    const waitingSince = row.waitsSince?.toISOString() ?? null;
    if (!isOutside(row, row)) return { state: 'ADMITTED', waitingSince };
    if (row.admission === 'REFUSED') return { state: 'REFUSED', waitingSince };
    const now = this.clock.wall();
    const isRecorded = row.waitingSeenAt !== null && now.getTime() - row.waitingSeenAt.getTime() < SEEN_INTERVAL_MS;
    if (!isRecorded) await this.participants.seeWaiting(caller.sid, caller.uid, now);
    return { state: 'WAITING', waitingSince };
  }
}
