import { Injectable } from '@nestjs/common';
import { CONSUMERS } from '@classroom/contracts';
import { Consumes, type AcceptOnce } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { annotate, failpoint, logger } from '@classroom/platform';
import { SessionAddresses } from '../participants/session-addresses.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { Removals } from '../participants/removals.js';
import type { ParticipantRights } from '../participants/participant-rights.js';
import { RightsReconciler, type RightsCorrection } from '../participants/rights-reconciler.js';
import type { Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { boundsOf, CommitPresence, earliestOf } from './commit-presence.js';
import { ConnectionsRepository } from './connections.repository.js';
import { applyAborted, applyJoined, applyLeft, applyMediaClosed, withPlausibleJoin, type Interval } from './interval.js';
import { isDisconnected, isPerson, toPerson, type LiveKitParticipant } from '../participants/livekit-person.js';

export interface WebhookEvent {
  id: string;
  event: string;
  createdAt?: string | number;
  room?: { name?: string };
  participant?: LiveKitParticipant;
}

/** Rooms processed in parallel; the webhooks of one room are processed in the order of their arrival. */
const CONCURRENCY = 8;
const NO_EFFECT: { isRevoked: boolean; corrections: RightsCorrection[] } = { isRevoked: false, corrections: [] };

/** Applies a webhook: writes inbox, intervals, room and outbox in one transaction. */
@Injectable()
export class ApplyWebhook {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly commitPresence: CommitPresence,
    private readonly removals: Removals,
    private readonly rights: RightsReconciler,
    private readonly addresses: SessionAddresses,
    private readonly livekit: LiveKitRooms,
  ) {}

  @Consumes<WebhookEvent>(CONSUMERS.roomPresence, { concurrency: CONCURRENCY, keyOf: ({ room }) => room?.name ?? '' })
  async execute(event: WebhookEvent, acceptOnce: AcceptOnce): Promise<void> {
    const sid = event.room?.name;
    if (!sid) return;
    annotate({ 'room.sid': sid, 'livekit.event': event.event });
    await failpoint('room.webhook.before-transaction');
    const isJoin = event.event === 'participant_joined';
    const { isRevoked, corrections } = await this.database.transaction(async (tx) => {
      if (!(await acceptOnce(tx, event.id))) return NO_EFFECT;
      const room = await this.rooms.lockBySid(tx, sid);
      if (!room) return NO_EFFECT;
      if (event.participant && (await this.removals.usesRevokedToken(tx, sid, event.participant))) return { ...NO_EFFECT, isRevoked: true };
      const rightsOverridingToken = isJoin ? await this.rights.findRightsOverridingToken(tx, sid) : new Map<string, ParticipantRights>();
      await this.commitPresence.execute(tx, room, await this.foldWebhook(tx, room, event, rightsOverridingToken));
      const corrections = isJoin && event.participant ? this.rights.findMismatches(sid, rightsOverridingToken, [event.participant]) : [];
      await failpoint('room.webhook.before-commit');
      return { isRevoked: false, corrections };
    });
    await failpoint('room.webhook.after-commit');
    if (isRevoked && isJoin) await this.evict(sid, event.participant?.identity ?? '');
    await this.rights.applyCorrections(sid, corrections);
  }

  private async foldWebhook(
    tx: Transaction,
    room: Room,
    event: WebhookEvent,
    rightsOverridingToken: ReadonlyMap<string, ParticipantRights>,
  ): Promise<Interval[]> {
    const bounds = boundsOf(room);
    const at = Number(event.createdAt ?? 0);
    if (event.event === 'room_finished') {
      return applyMediaClosed(await this.connections.findOpen(tx, room.sid), at, bounds);
    }
    const { participant } = event;
    if (!participant?.sid || !isPerson(participant)) return [];
    const addresses = await this.addresses.findByConnection(tx, room.sid, [participant]);
    const person = withPlausibleJoin(toPerson(participant, rightsOverridingToken, addresses), at, earliestOf(room));
    const present = await this.connections.findRelated(tx, room.sid, person.connectionSid, person.uid);
    switch (event.event) {
      case 'participant_joined':
        // LiveKit may send participant_joined after the end of the same connection; its state then is DISCONNECTED.
        return isDisconnected(participant) ? [] : applyJoined(present, person, 'webhook', bounds);
      case 'participant_left':
        return applyLeft(present, person, at, bounds);
      case 'participant_connection_aborted':
        return applyAborted(present, person, at, bounds);
      default:
        return [];
    }
  }

  /** LiveKit 1.13 does not revoke tokens: a participant who comes back with a token from before the removal is evicted immediately. */
  private async evict(sid: string, uid: string): Promise<void> {
    logger.info({ sid }, 'evicting a removed participant who rejoined with an old token');
    // If this fails, the reconciler evicts the participant.
    await this.livekit.remove(sid, uid).catch(() => undefined);
  }
}
