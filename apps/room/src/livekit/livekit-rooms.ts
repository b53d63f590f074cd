import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AppError, type Role } from '@classroom/contracts';
import { clientCall, Clock, CONFIG, Dependencies, durationHistogram, peerOf } from '@classroom/platform';
import { DataPacket_Kind, RoomServiceClient, ServerError, type ParticipantInfo, type Room } from 'livekit-server-sdk';
import type { RoomConfig } from '../config.js';
import { grantsOf } from '../roles/role-grants.js';

const duration = durationHistogram('livekit.client.duration', 'Calls to LiveKit, by method and outcome');
/** Seconds; LiveKit itself waits 3 s for the node of a room before it answers 503. */
const CALL_TIMEOUT_S = 3.5;
const SWIFT_TIMEOUT_S = 2;
/** A living node makes a room in milliseconds; one attempt given up early costs nothing, for making is idempotent. */
const PLACING_TIMEOUT_S = 1;
/** LiveKit's own timers only back ours up: it closes a room that we lost sight of. */
const NEVER_JOINED_TIMEOUT_S = 7 * 86_400;
const DEPARTURE_MARGIN_S = 60;
/** The Date header has whole seconds, and the answer takes a while. */
const DATE_GRAIN_S = 2;

export interface MediaRoom {
  sid: string;
  maxParticipants: number;
  emptyTimeout: number;
}

/** LiveKit's rooms, each named by our sid. No answer is SERVICE_UNAVAILABLE, which is never the same as an empty list. */
@Injectable()
export class LiveKitRooms implements OnModuleInit {
  private readonly client: RoomServiceClient;
  private readonly swift: RoomServiceClient;
  private readonly placing: RoomServiceClient;

  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly clock: Clock,
    private readonly dependencies: Dependencies,
  ) {
    const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = config;
    const connect = (requestTimeout: number) =>
      new RoomServiceClient(LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { requestTimeout, failover: false });
    this.client = connect(CALL_TIMEOUT_S);
    this.swift = connect(SWIFT_TIMEOUT_S);
    this.placing = connect(PLACING_TIMEOUT_S);
  }

  onModuleInit(): void {
    this.dependencies.register('livekit', () => this.list(['RM_health']), { required: false });
  }

  /** Idempotent: a room that is there stays as it is; one whose node died is placed on another. */
  ensure(room: MediaRoom): Promise<void> {
    return this.create(this.client, room);
  }

  /** The same where many wait, or it will be tried again anyway: gives up after a second. */
  placeAgain(room: MediaRoom): Promise<void> {
    return this.create(this.placing, room);
  }

  private async create(client: RoomServiceClient, room: MediaRoom): Promise<void> {
    await this.call('CreateRoom', () =>
      client.createRoom({
        name: room.sid,
        emptyTimeout: NEVER_JOINED_TIMEOUT_S,
        departureTimeout: room.emptyTimeout + DEPARTURE_MARGIN_S,
        maxParticipants: room.maxParticipants,
      }),
    );
  }

  /**
   * Closes the room and disconnects everyone; a room that isn't there is closed. One whose node died can only be deleted
   * after it was placed again (LiveKit 1.13 answers 503, later 500, for ever).
   */
  async close(room: MediaRoom): Promise<void> {
    try {
      await this.delete(room.sid);
    } catch {
      await this.ensure(room);
      await this.delete(room.sid);
    }
  }

  private async delete(sid: string): Promise<void> {
    await this.call('DeleteRoom', () => this.client.deleteRoom(sid)).catch(ignoreNotFound);
  }

  list(sids?: string[]): Promise<Room[]> {
    return this.call('ListRooms', () => this.swift.listRooms(sids));
  }

  /**
   * Null where LiveKit has no such room. It answers 503 both for that and for a room whose node died; its own list of
   * rooms tells the two apart.
   */
  async participants(sid: string): Promise<ParticipantInfo[] | null> {
    try {
      return await this.call('ListParticipants', () => this.client.listParticipants(sid));
    } catch (error) {
      if (isNotFound(error) || (await this.list([sid])).length === 0) return null;
      throw error;
    }
  }

  async remove(sid: string, uid: string): Promise<void> {
    await this.call('RemoveParticipant', () => this.client.removeParticipant(sid, uid)).catch(ignoreNotFound);
  }

  /** Undefined where the participant isn't there. */
  async participant(sid: string, uid: string): Promise<ParticipantInfo | undefined> {
    return this.call('GetParticipant', () => this.client.getParticipant(sid, uid)).catch((error: unknown) => {
      ignoreNotFound(error);
      return undefined;
    });
  }

  async mute(sid: string, uid: string, trackSid: string): Promise<void> {
    await this.call('MutePublishedTrack', () => this.client.mutePublishedTrack(sid, uid, trackSid, true)).catch(ignoreNotFound);
  }

  /** What a role may, a student with or without the word; what is published without the right to it ends at once. */
  async grant(sid: string, uid: string, role: Role, maySpeak: boolean): Promise<void> {
    const { canPublish, canPublishSources = [], canSubscribe, canPublishData } = grantsOf(role, sid, maySpeak);
    const permission = { canPublish, canPublishSources, canSubscribe, canPublishData };
    await this.call('UpdateParticipant', () => this.client.updateParticipant(sid, uid, { permission, attributes: { role } })).catch(
      ignoreNotFound,
    );
  }

  /** To everyone who is there, under `topic`. */
  async send(sid: string, topic: string, data: Uint8Array): Promise<void> {
    await this.call('SendData', () => this.swift.sendData(sid, data, DataPacket_Kind.RELIABLE, { topic })).catch(ignoreNotFound);
  }

  /** Everyone is disconnected, and comes back into a room with the present settings. */
  async makeAnew(room: MediaRoom): Promise<void> {
    await this.delete(room.sid);
    await this.ensure(room);
  }

  /**
   * By how many seconds LiveKit's clock is ahead of ours, as its HTTP Date tells it; 0 where the two agree within that
   * header's grain.
   */
  async clockOffset(): Promise<number> {
    const before = this.clock.wall().getTime();
    const response = await fetch(this.config.LIVEKIT_URL.replace(/^ws/, 'http'), {
      signal: AbortSignal.timeout(SWIFT_TIMEOUT_S * 1000),
    }).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
    await response.body?.cancel();
    const theirs = Date.parse(response.headers.get('date') ?? '');
    const ahead = Math.round((theirs - before) / 1000);
    return Number.isNaN(ahead) || Math.abs(ahead) < DATE_GRAIN_S ? 0 : ahead;
  }

  private call<T>(method: string, work: () => Promise<T>): Promise<T> {
    const attributes = {
      'rpc.system': 'twirp',
      'rpc.service': 'livekit.RoomService',
      'rpc.method': method,
      ...peerOf(this.config.LIVEKIT_URL),
    };
    return clientCall({ name: `livekit ${method}`, method, attributes, duration, outcomeOf, toError: toAppError }, work);
  }
}

const outcomeOf = (error: unknown) => (error instanceof ServerError ? (error.code ?? String(error.status)) : 'unreachable');

/** A 4xx is LiveKit's answer and ours to handle; 5xx, time-outs and refused connections mean that it is away. */
function toAppError(cause: unknown): AppError {
  if (cause instanceof ServerError && cause.status === 404) return new AppError('NOT_FOUND', { cause });
  if (cause instanceof ServerError && cause.status < 500) return new AppError('INTERNAL_ERROR', { cause });
  return new AppError('SERVICE_UNAVAILABLE', { cause });
}

const isNotFound = (error: unknown) => error instanceof AppError && error.code === 'NOT_FOUND';
function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
