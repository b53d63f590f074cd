import { Injectable } from '@nestjs/common';
import { AppError, createRoom, roomCreated, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { CreditStatusProjection, DueWorks, fact, Handles, Outbox, type DueWork } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { annotate, Clock, failpoint, InBackground } from '@classroom/platform';
import { IssueJoinToken, type IssuedToken } from './join-room.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { PresetsRepository, type PresetRow } from '../rooms/presets.repository.js';
import { newRoomSid, newSettings, nextStepAt, problemOf, toEventRoom, type CreatingRoom, type Room } from '../rooms/room.js';
import { RoomDeadlines } from '../presence/room-deadlines.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RoomsRepository, type NewRoom } from '../rooms/rooms.repository.js';
import { settingsOf } from '../schema/settings.js';
import { RosterRepository } from '../rooms/roster.repository.js';

/** Milliseconds; longer than any creation that is still in progress. */
const CREATION_TIMEOUT_MS = 15_000;
const PARALLEL = 8;

type Input = RpcInput<typeof createRoom>;

interface Reserved {
  room: CreatingRoom & Pick<Room, 'state'>;
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
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly roster: RosterRepository,
    private readonly reads: RoomReadsRepository,
    private readonly presets: PresetsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly outbox: Outbox,
    private readonly issueJoinToken: IssueJoinToken,
    private readonly creditStatus: CreditStatusProjection,
    private readonly deadlines: RoomDeadlines,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError VALIDATION_FAILED, PRESET_NOT_FOUND, INSUFFICIENT_CREDITS, ROOM_ID_ALREADY_USED, IDEMPOTENCY_CONFLICT, SERVICE_UNAVAILABLE (LiveKit or Postgres
   * unreachable)
   */
  @Handles(createRoom)
  async execute(input: Input): Promise<RpcOutput<typeof createRoom>> {
    const { room, joined } = await this.reserve(input);
    annotate({ 'room.sid': room.sid });
    await failpoint('room.create.after-reserve');
    const isCreated = room.state === 'creating' && (await this.createInLiveKit(room));
    const token = isCreated && joined ? joined : await this.issueToken(room, input);
    const { roomId, sid } = room;
    return { ...token, room: { roomId, sid }, settings: settingsOf(room), isReplayed: joined === undefined };
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
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'Room creation failed; no room exists', cause: error });
    }
    await failpoint('room.create.after-livekit');
    const { autoRecord, budget } = settingsOf(room);
    const data = {
      ...toEventRoom(room),
      title: room.title,
      createdAt: room.createdAt.toISOString(),
      autoRecord,
      ...(budget && { budget }),
    };
    const created = fact(roomCreated, room.sid, data);
    const isCreated = await this.outbox.addBy(created, (row, now) => this.rooms.markCreated(room.sid, row, now));
    await failpoint('room.create.after-commit');
    return isCreated;
  }

  /** @throws AppError SERVICE_UNAVAILABLE if the creation was abandoned by another process */
  private async issueToken(room: Reserved['room'], { participant, sessionsOnly }: Input): Promise<IssuedToken> {
    // A repeated creation is answered even if its class has ended since.
    if (room.state === 'finished') return this.issueJoinToken.sign(room, participant, sessionsOnly);
    const created = await this.reads.findForJoin(room.organizationId, room.roomId, participant.uid);
    const issued = created && (await this.issueJoinToken.execute(created, participant, sessionsOnly));
    if (!issued) throw new AppError('SERVICE_UNAVAILABLE');
    return issued.joined;
  }

  /** Finds the room that the same request created, whatever the organization's credits are now; otherwise inserts a row that reserves the roomId. */
  private async reserve(input: Input): Promise<Reserved> {
    const earlier = await this.findReplayed(input);
    if (earlier) return earlier;
    const room = this.toNewRoom(input, await this.findPreset(input));
    const problem = problemOf(settingsOf(room), room.createdAt);
    if (problem) throw problem;
    await this.creditStatus.requireCredits(input.organizationId);
    const joined = this.issueJoinToken.sign(room, input.participant, input.sessionsOnly);
    const tokensExpireAt = this.issueJoinToken.mediaUntil(room, input.participant, joined);
    if (await this.insert({ ...room, tokensExpireAt }, input)) return { room: { ...room, state: 'creating' }, joined };
    // The same request may have been faster, on another process.
    const other = await this.findReplayed(input);
    if (!other) throw new AppError('ROOM_ID_ALREADY_USED');
    return other;
  }

  private async findPreset({ organizationId, preset: name }: Input): Promise<PresetRow | undefined> {
    if (name === undefined) return undefined;
    const preset = await this.presets.find(organizationId, name);
    if (!preset) throw new AppError('PRESET_NOT_FOUND');
    return preset;
  }

  /** One statement, unless there is a roster. */
  private insert(row: NewRoom, { participant, roster = [] }: Input): Promise<boolean> {
    if (roster.length === 0) return this.rooms.reserve(row, participant);
    return this.database.transaction(async (tx) => {
      const isReserved = await this.rooms.reserve(row, participant, tx);
      if (isReserved) await this.roster.replace(tx, row, roster);
      return isReserved;
    });
  }

  private async findReplayed({ organizationId, idempotency }: Input): Promise<Reserved | undefined> {
    const room = idempotency && (await this.reads.findByIdempotencyKey(organizationId, idempotency.key));
    if (!room) return undefined;
    if (room.idempotencyHash !== idempotency.bodyHash) throw new AppError('IDEMPOTENCY_CONFLICT');
    return { room };
  }

  private toNewRoom(input: Input, preset: PresetRow | undefined): Omit<NewRoom, 'tokensExpireAt'> {
    const createdAt = this.clock.now();
    const settings = newSettings(input, preset);
    return {
      sid: newRoomSid(),
      organizationId: input.organizationId,
      roomId: input.roomId,
      title: input.title,
      description: input.roomDescription ?? null,
      metadata: input.metadata ?? null,
      customization: { ...preset?.customization, ...input.customization },
      settings,
      scheduleDueAt: nextStepAt({ settings, state: 'created', startedAt: null }, createdAt),
      createdAt,
      dueAt: this.deadlines.unusedAt({ createdAt, settings }),
      idempotencyKey: input.idempotency?.key ?? null,
      idempotencyHash: input.idempotency?.bodyHash ?? null,
    };
  }
}

/** Creates rooms whose creation a crashed process left undone. Several processes may do so. */
@Injectable()
export class ResumeCreations {
  @InBackground() private readonly creations: DueWork<CreatingRoom>;

  constructor(dueWorks: DueWorks, rooms: RoomReadsRepository, createRoom: CreateRoom) {
    this.creations = dueWorks.declare<CreatingRoom>({
      name: 'unfinished-creations',
      isByWallTime: true,
      keyOf: ({ sid }) => sid,
      find: (now, limit) => rooms.interruptedCreations(new Date(now.getTime() - CREATION_TIMEOUT_MS), limit),
      run: (room) => createRoom.createInLiveKit(room),
      parallel: PARALLEL,
    });
  }
}
