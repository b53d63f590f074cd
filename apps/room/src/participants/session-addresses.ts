import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { isMediaToken, tokenIssuedAt, type LiveKitParticipant } from '../livekit/livekit-person.js';
import { SessionAddressesRepository } from './session-addresses.repository.js';

/** The IP addresses from which participants opened their sessions. Only reports show them: neither the page nor LiveKit receives one. */
@Injectable()
export class SessionAddresses {
  constructor(private readonly addresses: SessionAddressesRepository) {}

  /**
   * Records that a session was opened or renewed from `address`; adds a row if the address has changed. `tx` must hold the lock
   * of the participant's row.
   */
  async record(tx: Transaction, sid: string, uid: string, address: string | null, at: Date): Promise<void> {
    await this.addresses.record(tx, sid, uid, address, at);
  }

  /** By connection: the address of the session whose media token made it. A connection that was made with a join token has none. */
  async findByConnection(
    tx: Transaction,
    connections: readonly { sid: string; participant: LiveKitParticipant }[],
  ): Promise<ReadonlyMap<string, string>> {
    const fromSession = connections.filter(({ participant }) => isMediaToken(participant));
    if (fromSession.length === 0) return new Map();
    const uses = fromSession.map(({ sid, participant }) => ({
      sid,
      connectionSid: participant.sid ?? '',
      uid: participant.identity ?? '',
      issuedAt: new Date(tokenIssuedAt(participant)),
    }));
    const rows = await this.addresses.findAtIssue(tx, uses);
    return new Map(rows.map(({ connectionSid, address }) => [connectionSid, address]));
  }
}
