import { Injectable } from '@nestjs/common';
import { CONSUMERS, type Role } from '@classroom/contracts';
import { ConsumesBatch, type AcceptNew, type Delivery } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { failpoint, inParallel, logger } from '@classroom/platform';
import { SessionAddresses } from '../participants/session-addresses.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { Removals } from '../participants/removals.js';
import { RightsReconciler, type ClassToCorrect } from '../participants/participant-rights.js';
import type { Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { boundsOf, CommitPresence, earliestOf, type IntervalChange, type RoomChange } from './commit-presence.js';
import { ConnectionsRepository } from './connections.repository.js';
import { applyAborted, applyJoined, applyLeft, applyMediaClosed, withPlausibleJoin, type Interval } from './interval.js';
import { isDisconnected, isPerson, toPerson, type LiveKitParticipant } from '../livekit/livekit-person.js';

export interface WebhookEvent {
  id: string;
  event: string;
  createdAt?: string | number;
  room?: { name?: string };
  participant?: LiveKitParticipant;
}

/** Batches processed in parallel; their rooms differ. */
const CONCURRENCY = 2;
/** A batch locks its rooms for a few milliseconds, for which a participant's own action waits. */
const BATCH_SIZE = 64;
/** Calls to LiveKit after a batch. Each may take its whole timeout. */
const CALLS_IN_PARALLEL = 16;

/** A webhook about a room. */
type RoomWebhook = Delivery<WebhookEvent> & { sid: string; participant: LiveKitParticipant | undefined };
type ParticipantWebhook = RoomWebhook & { participant: LiveKitParticipant };

/** What is done in LiveKit after the commit. */
interface FollowUps {
  evictions: { sid: string; uid: string }[];
  joined: ClassToCorrect[];
}

const isJoin = ({ body }: RoomWebhook) => body.event === 'participant_joined';
const isRoomEnd = ({ body }: RoomWebhook) => body.event === 'room_finished';

/** Applies webhooks: writes inbox, intervals, rooms and outbox in one transaction. */
@Injectable()
export class ApplyWebhooks {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly commitPresence: CommitPresence,
    private readonly participants: ParticipantsRepository,
    private readonly removals: Removals,
    private readonly rights: RightsReconciler,
    private readonly addresses: SessionAddresses,
    private readonly livekit: LiveKitRooms,
  ) {}

  @ConsumesBatch<WebhookEvent>(CONSUMERS.roomPresence, {
    concurrency: CONCURRENCY,
    batchSize: BATCH_SIZE,
    keyOf: ({ room }) => room?.name ?? '',
  })
  async execute(deliveries: readonly Delivery<WebhookEvent>[], acceptNew: AcceptNew): Promise<void> {
    const webhooks = deliveries.flatMap((delivery) => {
      const { room, participant } = delivery.body;
      return room?.name ? [{ ...delivery, sid: room.name, participant }] : [];
    });
    if (webhooks.length === 0) return;
    for (const { sid, body, annotate } of webhooks) annotate({ 'room.sid': sid, 'livekit.event': body.event });
    await failpoint('room.webhook.before-transaction');
    const { evictions, joined } = await this.database.transaction(async (tx) => {
      const followUps = await this.apply(tx, await acceptNew(tx, webhooks, ({ body }) => body.id));
      await failpoint('room.webhook.before-commit');
      return followUps;
    });
    await failpoint('room.webhook.after-commit');
    await inParallel(evictions, CALLS_IN_PARALLEL, ({ sid, uid }) => this.evict(sid, uid));
    // If this fails, the reconciler corrects them.
    await this.rights
      .correct(joined)
      .catch((error: unknown) => logger.warn({ err: error }, 'rights of who joined not yet applied; will retry'));
  }

  private async apply(tx: Transaction, webhooks: readonly RoomWebhook[]): Promise<FollowUps> {
    if (webhooks.length === 0) return { evictions: [], joined: [] };
    const locked = await this.rooms.lockAllBySid(tx, [...new Set(webhooks.map(({ sid }) => sid))]);
    const rooms = new Map(locked.map((room) => [room.sid, room]));
    const known = webhooks.filter(({ sid }) => rooms.has(sid));
    const revoked = await this.removals.findRevokedUses(tx, known.filter(hasParticipant));
    const counted = known.filter((webhook) => !hasParticipant(webhook) || !revoked.has(webhook));
    const joins = Map.groupBy(counted.filter(isJoin).filter(hasParticipant), ({ sid }) => sid);
    const roles = await this.participants.listChangedRoles(tx, [...joins.keys()]);
    await this.commitPresence.executeAll(tx, await this.foldAll(tx, rooms, counted, roles));
    return {
      evictions: [...revoked].filter(isJoin).map(({ sid, participant }) => ({ sid, uid: participant.identity ?? '' })),
      joined: [...joins].flatMap(([sid, ofRoom]) => {
        const room = rooms.get(sid);
        return room ? [{ room, participants: ofRoom.map(({ participant }) => participant) }] : [];
      }),
    };
  }

  /** Folds the webhooks of each room in their order. */
  private async foldAll(
    tx: Transaction,
    rooms: ReadonlyMap<string, Room>,
    webhooks: readonly RoomWebhook[],
    roles: ReadonlyMap<string, ReadonlyMap<string, Role>>,
  ): Promise<RoomChange[]> {
    const ofPeople = webhooks.filter(isAboutPerson);
    const addresses = await this.addresses.findByConnection(tx, ofPeople);
    const related = ofPeople.map(({ sid, participant }) => ({
      sid,
      connectionSid: participant.sid ?? '',
      uid: participant.identity ?? '',
    }));
    const ended = new Set(webhooks.filter(isRoomEnd).map(({ sid }) => sid));
    const present = await this.connections.findRelatedToAll(tx, related, [...ended]);
    const changes = new Map<string, IntervalChange[]>();
    for (const webhook of webhooks) {
      const { sid, traceparent } = webhook;
      const room = rooms.get(sid);
      if (!room) continue;
      const intervals = present.get(sid) ?? new Map<string, Interval>();
      const changed = isRoomEnd(webhook)
        ? applyMediaClosed([...intervals.values()], secondsOf(webhook), boundsOf(room))
        : foldParticipant(room, webhook, intervals, roles.get(sid) ?? new Map(), addresses);
      for (const interval of changed) intervals.set(interval.connectionSid, interval);
      present.set(sid, intervals);
      changes.set(sid, [...(changes.get(sid) ?? []), ...changed.map((interval) => ({ interval, traceparent }))]);
    }
    return [...rooms.values()].map((room) => ({ room, changes: changes.get(room.sid) ?? [] }));
  }

  /** LiveKit 1.13 does not revoke tokens: a participant who comes back with a token from before the removal is evicted immediately. */
  private async evict(sid: string, uid: string): Promise<void> {
    logger.info({ sid }, 'evicting a removed participant who rejoined with an old token');
    // If this fails, the reconciler evicts the participant.
    await this.livekit.remove(sid, uid).catch(() => undefined);
  }
}

function foldParticipant(
  room: Room,
  webhook: RoomWebhook,
  intervals: ReadonlyMap<string, Interval>,
  changedRoles: ReadonlyMap<string, Role>,
  addresses: ReadonlyMap<string, string>,
): Interval[] {
  if (!isAboutPerson(webhook)) return [];
  const { participant } = webhook;
  const [at, bounds] = [secondsOf(webhook), boundsOf(room)];
  const person = withPlausibleJoin(toPerson(participant, changedRoles, addresses), at, earliestOf(room));
  const present = [...intervals.values()].filter(({ connectionSid, uid }) => connectionSid === person.connectionSid || uid === person.uid);
  switch (webhook.body.event) {
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

/** The time of the webhook, in seconds since 1970. */
const secondsOf = ({ body }: RoomWebhook) => Number(body.createdAt ?? 0);

const isAboutPerson = (webhook: RoomWebhook): webhook is ParticipantWebhook =>
  hasParticipant(webhook) && Boolean(webhook.participant.sid) && isPerson(webhook.participant);

const hasParticipant = (webhook: RoomWebhook): webhook is ParticipantWebhook => webhook.participant !== undefined;
