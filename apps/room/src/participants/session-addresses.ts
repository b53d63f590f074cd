import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { isMediaToken, tokenIssuedAt, type LiveKitParticipant } from './livekit-person.js';
import { SessionAddressesRepository } from './session-addresses.repository.js';

/** Where people's sessions came from. Reports alone show it: neither the page nor LiveKit ever gets an address. */
@Injectable()
export class SessionAddresses {
  constructor(private readonly addresses: SessionAddressesRepository) {}

  /** A session was opened or renewed from `address`; a row for each change of it. The participant's row must be locked by `tx`. */
  async note(tx: Transaction, sid: string, uid: string, address: string | null, at: Date): Promise<void> {
    await this.addresses.note(tx, sid, uid, address, at);
  }

  /** By connection: the address of the session whose media token it was made by. None for who came by a join token alone. */
  async of(tx: Transaction, sid: string, participants: readonly LiveKitParticipant[]): Promise<ReadonlyMap<string, string>> {
    const fromSession = participants.filter(isMediaToken);
    if (fromSession.length === 0) return new Map();
    const uses = fromSession.map((participant) => ({
      connectionSid: participant.sid ?? '',
      uid: participant.identity ?? '',
      issuedAt: new Date(tokenIssuedAt(participant)),
    }));
    const rows = await this.addresses.at(tx, sid, uses);
    return new Map(rows.map(({ connectionSid, address }) => [connectionSid, address]));
  }
}
