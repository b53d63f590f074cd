import { Inject, Injectable } from '@nestjs/common';
import { AppError, changedConsent, createRoom, NO_CONSENT_ASKED, roomCreated, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fact, Handles, Outbox, CreditStatusProjection } from '@classroom/messaging';
import { annotate, Clock, CONFIG, failpoint } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { IssueJoinToken, type IssuedToken } from './issue-join-token.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { toEventRoom, type CreatingRoom, type Room } from '../rooms/room.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RoomsRepository, type NewRoom } from '../rooms/rooms.repository.js';
import { newRoomSid } from '../rooms/sid.js';

type Input = RpcInput<typeof createRoom>;
const DAY_MS = 86_400_000;

interface Reserved {
  room: CreatingRoom & Pick<Room, 'state' | 'recordingConsent'>;
  /** The token of a new room, whose expiry is in its row already. */
  joined?: IssuedToken;
}

/**
 * Writes the row as `creating`, creates the room in LiveKit, then marks the row `created`: one statement before LiveKit and one after it. After
 * a crash in between, the sweep or a retry with the same Idempotency-Key continues. If LiveKit refuses the room, its roomId is free again.
 */
@Injectable()
export class CreateRoom {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly rooms: RoomsRepository,
    private readonly reads: RoomReadsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly outbox: Outbox,
    private readonly issueJoinToken: IssueJoinToken,
    private readonly creditStatus: CreditStatusProjection,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError INSUFFICIENT_CREDITS, ROOM_ID_ALREADY_USED, IDEMPOTENCY_CONFLICT, SERVICE_UNAVAILABLE (LiveKit or Postgres
   * unreachable)
   */
  @Handles(createRoom)
  async execute(input: Input): Promise<RpcOutput<typeof createRoom>> {
    const { room, joined } = await this.reserve(input);
    annotate({ 'room.sid': room.sid });
    await failpoint('room.create.after-reserve');
    const isCreated = room.state === 'creating' && (await this.createInLiveKit(room));
    const token = isCreated && joined ? joined : await this.issueToken(room, input);
    return { ...token, room: { roomId: room.roomId, sid: room.sid }, isReplayed: joined === undefined };
  }

  /**
   * Creates the room in LiveKit and publishes its creation. Safe to repeat, which the sweep does. False if another process was faster.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async createInLiveKit(room: CreatingRoom): Promise<boolean> {
    try {
      await this.livekit.ensureRoom(room);
    } catch (error) {
      await this.rooms.abandon(room.sid);
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'The room could not be made; nothing was kept of it', cause: error });
    }
    await failpoint('room.create.after-livekit');
    const { title, autoRecord } = room;
    const created = fact(roomCreated, room.sid, { ...toEventRoom(room), title, createdAt: room.createdAt.toISOString(), autoRecord });
    const isCreated = await this.outbox.addBy(created, (row, now) => this.rooms.markCreated(room.sid, row, now));
    await failpoint('room.create.after-commit');
    return isCreated;
  }

  /** @throws AppError SERVICE_UNAVAILABLE if the creation was abandoned by another process */
  private async issueToken(room: Reserved['room'], { participant }: Input): Promise<IssuedToken> {
    // A repeated creation is answered even if its class has ended since.
    if (room.state === 'finished') return this.issueJoinToken.sign(room, participant);
    const issued = await this.issueJoinToken.execute(room, participant);
    if (!issued) throw new AppError('SERVICE_UNAVAILABLE');
    return issued.joined;
  }

  /** Inserts a row that reserves the roomId, or finds the room that the same request created, whatever the organization's credits are now. */
  private async reserve(input: Input): Promise<Reserved> {
    const { organizationId, participant } = input;
    const room = this.toNewRoom(input);
    const joined = await this.issueJoinToken.sign(room, participant);
    const reserved = { room: { ...room, state: 'creating' as const }, joined };
    const row = { ...room, tokensExpireAt: new Date(joined.expiresAt) };
    if (await this.rooms.reserve(row, participant)) return reserved;
    const earlier = await this.findReplayed(input);
    if (earlier) return earlier;
    await this.creditStatus.requireCredits(organizationId);
    if (await this.rooms.reserve(row, participant, { isAllowed: true })) return reserved;
    const concurrent = await this.findReplayed(input);
    if (!concurrent) throw new AppError('ROOM_ID_ALREADY_USED');
    return concurrent;
  }

  private async findReplayed({ organizationId, idempotency }: Input): Promise<Reserved | undefined> {
    const room = idempotency && (await this.reads.findByIdempotencyKey(organizationId, idempotency.key));
    if (!room) return undefined;
    if (room.idempotencyHash !== idempotency.bodyHash) throw new AppError('IDEMPOTENCY_CONFLICT');
    return { room };
  }

  private toNewRoom(input: Input): Omit<NewRoom, 'tokensExpireAt'> {
    const createdAt = this.clock.now();
    const { chat, consent, ...settings } = input.settings;
    const { recording, ai } = changedConsent(consent, input.organizationConsent ?? NO_CONSENT_ASKED);
    return {
      sid: newRoomSid(this.config.CELL),
      organizationId: input.organizationId,
      roomId: input.roomId,
      title: input.title,
      description: input.roomDescription ?? null,
      metadata: input.metadata ?? null,
      customization: input.customization,
      ...settings,
      chatMode: chat.mode,
      slowModeSeconds: chat.slowModeSeconds,
      recordingConsent: recording,
      mayUseAi: ai,
      createdAt,
      dueAt: new Date(createdAt.getTime() + this.config.ROOM_UNUSED_DAYS * DAY_MS),
      idempotencyKey: input.idempotency?.key ?? null,
      idempotencyHash: input.idempotency?.bodyHash ?? null,
    };
  }
}
