import { Inject, Injectable } from '@nestjs/common';
import { AppError, createRoom, roomCreated, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fact, Handles, Outbox, Standings } from '@classroom/messaging';
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
 * Row `creating` → LiveKit → row `created`. A crash between is resumed by the sweep or by the retry with the same key;
 * where LiveKit does not take the room, the roomId is free again.
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
    private readonly standings: Standings,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError INSUFFICIENT_CREDITS, ROOM_ID_ALREADY_USED, IDEMPOTENCY_CONFLICT, SERVICE_UNAVAILABLE (LiveKit or Postgres away) */
  @Handles(createRoom)
  async execute(input: Input): Promise<RpcOutput<typeof createRoom>> {
    const { room, isReplayed } = (await this.replayed(input)) ?? (await this.reserve(input));
    annotate({ 'room.sid': room.sid });
    await failpoint('room.create.after-reserve');
    if (room.state === 'creating') await this.place(room);
    // A replay of a creation whose class has ended since is answered all the same.
    const finished = room.state === 'finished' && (await this.issueJoinToken.sign(room.sid, input.participant));
    const joined = finished || (await this.issueJoinToken.execute(room.sid, input.participant))?.joined;
    if (!joined) throw new AppError('SERVICE_UNAVAILABLE');
    return { ...joined, room: { roomId: room.roomId, sid: room.sid }, isReplayed };
  }

  /** Makes the room in LiveKit and tells the world. Safe to repeat: the sweep does. */
  async place(room: Pick<Room, 'sid' | 'maxParticipants' | 'emptyTimeout'>): Promise<void> {
    try {
      await this.livekit.ensure(room);
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

  /** A new row that holds the roomId; where the same request was faster, the one that it made. */
  private async reserve(input: Input): Promise<Reserved> {
    await this.standings.requireCredits(input.organizationId);
    const room = this.toNewRoom(input);
    if (await this.rooms.reserve(room, input.participant)) return { room: { ...room, state: 'creating' }, isReplayed: false };
    const earlier = await this.replayed(input);
    if (!earlier) throw new AppError('ROOM_ID_ALREADY_USED');
    return earlier;
  }

  /** The room that this very request made before, whatever the organization's credits are by now. */
  private async replayed({ organizationId, idempotency }: Input): Promise<Reserved | undefined> {
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
