import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { joinedAtMs, tokenIssuedAt, type LiveKitParticipant } from '../livekit/livekit-person.js';
import { ParticipantsRepository } from './participants.repository.js';

/** Removed participants of a list who are connected with a token from before their removal. */
export interface Revocations {
  /** uids */
  toEvict: string[];
  /** Those of their connections that were made after the removal and so never count. */
  revokedConnections: ReadonlySet<string>;
}

/** A removal invalidates every token signed until then. Finds the connections that were made with such tokens. */
@Injectable()
export class Removals {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** Those of the connections whose participant was removed and then connected with a token from before the removal. */
  async findRevokedUses<T extends { sid: string; participant: LiveKitParticipant }>(tx: Transaction, uses: readonly T[]): Promise<Set<T>> {
    const named = uses.flatMap((use) => (use.participant.identity ? [{ sid: use.sid, uid: use.participant.identity }] : []));
    if (named.length === 0) return new Set();
    const removals = await this.participants.findRemovals(tx, named);
    const removedAt = new Map(removals.map((row) => [`${row.sid}/${row.uid}`, row.removedAt]));
    return new Set(
      uses.filter(({ sid, participant }) => {
        const at = removedAt.get(`${sid}/${participant.identity}`);
        return at !== undefined && hasRevokedToken(participant, at) && this.joinedAfter(participant, at);
      }),
    );
  }

  /** Checks the lists of rooms. Rooms without a removed participant are missing from the result. */
  async findRevoked(
    tx: Transaction,
    sids: readonly string[],
    lists: ReadonlyMap<string, { participants: readonly LiveKitParticipant[] }>,
  ): Promise<ReadonlyMap<string, Revocations>> {
    const removals = Map.groupBy(await this.participants.listRemovals(tx, sids), ({ sid }) => sid);
    return new Map([...removals].map(([sid, rows]) => [sid, this.revocationsIn(lists.get(sid)?.participants ?? [], rows)]));
  }

  private revocationsIn(participants: readonly LiveKitParticipant[], removals: readonly { uid: string; removedAt: Date }[]): Revocations {
    const removedAt = new Map(removals.map((row) => [row.uid, row.removedAt]));
    const revoked = participants.filter((participant) => {
      const at = removedAt.get(participant.identity ?? '');
      return at !== undefined && hasRevokedToken(participant, at);
    });
    const joinedLater = revoked.filter((one) => this.joinedAfter(one, removedAt.get(one.identity ?? '') ?? new Date(0)));
    return {
      toEvict: revoked.map(({ identity }) => identity ?? ''),
      revokedConnections: new Set(joinedLater.map(({ sid }) => sid ?? '')),
    };
  }

  /** The time of the join is by LiveKit's clock, that of the removal by ours. */
  private joinedAfter(participant: LiveKitParticipant, removedAt: Date): boolean {
    return this.livekitClock.toLocalTime(new Date(joinedAtMs(participant))) > removedAt;
  }
}

const hasRevokedToken = (participant: LiveKitParticipant, removedAt: Date) => tokenIssuedAt(participant) <= removedAt.getTime();
