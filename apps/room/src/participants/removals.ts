import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { joinedAtMs, tokenIssuedAt, type LiveKitParticipant } from './livekit-person.js';
import { ParticipantsRepository } from './participants.repository.js';

/** A removal invalidates every token signed until then. Finds the connections that were made with such tokens. */
@Injectable()
export class Removals {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** Whether the participant was removed and then connected with a token from before the removal. */
  async isIntruder(tx: Transaction, sid: string, participant: LiveKitParticipant): Promise<boolean> {
    const { identity } = participant;
    if (!identity) return false;
    const removedAt = await this.participants.removalOf(tx, sid, identity);
    return removedAt !== undefined && hasOldToken(participant, removedAt) && this.cameAfter(participant, removedAt);
  }

  /**
   * Checks a whole list. `unwelcome`: the uids to evict, which were removed and are connected with a token from before the
   * removal. `intruders`: those of their connections that were made after the removal and so never count.
   */
  async inList(
    tx: Transaction,
    sid: string,
    participants: readonly LiveKitParticipant[],
  ): Promise<{ unwelcome: string[]; intruders: Set<string> }> {
    const rows = await this.participants.removals(tx, sid);
    const removedAt = new Map(rows.map((row) => [row.uid, row.removedAt]));
    const unwelcome = participants.filter((participant) => {
      const at = removedAt.get(participant.identity ?? '');
      return at !== undefined && hasOldToken(participant, at);
    });
    const intruders = unwelcome.filter((one) => this.cameAfter(one, removedAt.get(one.identity ?? '') ?? new Date(0)));
    return {
      unwelcome: unwelcome.map(({ identity }) => identity ?? ''),
      intruders: new Set(intruders.map(({ sid: connectionSid }) => connectionSid ?? '')),
    };
  }

  /** The time of the join is by LiveKit's clock, that of the removal by ours. */
  private cameAfter(participant: LiveKitParticipant, removedAt: Date): boolean {
    return this.livekitClock.toOurs(new Date(joinedAtMs(participant))) > removedAt;
  }
}

const hasOldToken = (participant: LiveKitParticipant, removedAt: Date) => tokenIssuedAt(participant) <= removedAt.getTime();
