import { Inject, Injectable } from '@nestjs/common';
import { AppError, createRoom, roomCreated, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fact, Handles, Outbox, CreditStatusProjection } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { annotate, Clock, CONFIG, failpoint } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { IssueJoinToken } from './issue-join-token.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RoomsRepository, type NewRoom } from '../rooms/rooms.repository.js';
import { newRoomSid } from '../rooms/sid.js';

type Input = RpcInput<typeof createRoom>;
const DAY_MS = 86_400_000;

interface Reserved {
  room: Pick<Room, 'sid' | 'roomId' | 'state' | 'maxParticipants' | 'emptyTimeout'>;
  isReplayed: boolean;
}

/**
 * Writes the row as `creating`, creates the room in LiveKit, then marks the row `created`. After a crash in between, the sweep
 * or a retry with the same Idempotency-Key continues. If LiveKit refuses the room, its roomId is free again.
 */
@Injectable()
export class CreateRoom {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly database: Database,
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
    const { room, isReplayed } = (await this.findReplayed(input)) ?? (await this.reserve(input));
    annotate({ 'room.sid': room.sid });
    await failpoint('room.create.after-reserve');
    if (room.state === 'creating') await this.createInLiveKit(room);
    // A repeated creation is answered even if its class has ended since.
    const finishedToken = room.state === 'finished' && (await this.issueJoinToken.sign(room.sid, input.participant));
    const joined = finishedToken || (await this.issueJoinToken.execute(room.sid, input.participant))?.joined;
    if (!joined) throw new AppError('SERVICE_UNAVAILABLE');
    return { ...joined, room: { roomId: room.roomId, sid: room.sid }, isReplayed };
  }

  /** Creates the room in LiveKit and publishes its creation. Safe to repeat, which the sweep does. @throws AppError SERVICE_UNAVAILABLE */
  async createInLiveKit(room: Pick<Room, 'sid' | 'maxParticipants' | 'emptyTimeout'>): Promise<void> {
    try {
      await this.livekit.ensureRoom(room);
    } catch (error) {
      await this.rooms.abandon(room.sid);
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'The room could not be made; nothing was kept of it', cause: error });
    }
    await failpoint('room.create.after-livekit');
    await this.database.transaction(async (tx) => {
      const created = await this.rooms.markCreated(tx, room.sid);
      if (!created) return;
      const data = {
        ...toEventRoom(created),
        title: created.title,
        createdAt: created.createdAt.toISOString(),
        autoRecord: created.autoRecord,
      };
      await this.outbox.add(tx, fact(roomCreated, room.sid, data));
    });
    await failpoint('room.create.after-commit');
  }

  /** Inserts a row that reserves the roomId. If the same request was faster, returns the room that it created. */
  private async reserve(input: Input): Promise<Reserved> {
    await this.creditStatus.requireCredits(input.organizationId);
    const room = this.toNewRoom(input);
    if (await this.rooms.reserve(room, input.participant)) return { room: { ...room, state: 'creating' }, isReplayed: false };
    const earlier = await this.findReplayed(input);
    if (!earlier) throw new AppError('ROOM_ID_ALREADY_USED');
    return earlier;
  }

  /** The room that the same request created earlier, whatever the organization's credits are now; undefined if there is none. */
  private async findReplayed({ organizationId, idempotency }: Input): Promise<Reserved | undefined> {
    const room = idempotency && (await this.reads.findByIdempotencyKey(organizationId, idempotency.key));
    if (!room) return undefined;
    if (room.idempotencyHash !== idempotency.bodyHash) throw new AppError('IDEMPOTENCY_CONFLICT');
    return { room, isReplayed: true };
  }

  private toNewRoom(input: Input): NewRoom {
    const createdAt = this.clock.now();
    return {
      sid: newRoomSid(),
      organizationId: input.organizationId,
      roomId: input.roomId,
      title: input.title,
      description: input.roomDescription ?? null,
      metadata: input.metadata ?? null,
      customization: input.customization,
      ...input.settings,
      createdAt,
      dueAt: new Date(createdAt.getTime() + this.config.ROOM_UNUSED_DAYS * DAY_MS),
      idempotencyKey: input.idempotency?.key ?? null,
      idempotencyHash: input.idempotency?.bodyHash ?? null,
    };
  }
}
