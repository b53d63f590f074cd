import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { clientCall, Clock, CONFIG, Dependencies, durationHistogram, peerOf } from '@classroom/platform';
import { RoomServiceClient, ServerError, type ParticipantInfo, type Room } from 'livekit-server-sdk';
import type { RoomConfig } from '../config.js';
import { grantsOf, RIGHTS_CHANGED, UNRECORDED, type ParticipantRights } from './join-token.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';
import { RoomService } from './room-service.js';

const duration = durationHistogram('livekit.client.duration', 'Calls to LiveKit, by method and outcome');
/** Milliseconds; LiveKit itself waits 3 s for the node of a room before it answers 503. */
const CALL_TIMEOUT_MS = 3_500;
const SHORT_TIMEOUT_MS = 2_000;
/** Milliseconds. A healthy node creates a room in a few. An attempt that times out early is harmless, because creation is idempotent. */
const RECREATE_TIMEOUT_MS = 1_000;
/** Seconds. LiveKit's own timers are only a fallback for ours: LiveKit closes a room that this service has lost. */
const NEVER_JOINED_TIMEOUT_S = 7 * 86_400;
const DEPARTURE_MARGIN_S = 60;
/** Milliseconds. A smaller offset counts as none, because the Date header has whole seconds. */
const NO_OFFSET_MS = 1_500;

/** What LiveKit's room is created from. */
export type MediaRoom = WithSettings & { sid: string };

/** LiveKit's rooms, each named by our sid. A call without an answer throws SERVICE_UNAVAILABLE, which is never treated as an empty list. */
@Injectable()
export class LiveKitRooms implements OnModuleInit, OnApplicationShutdown {
  /** For frequent calls. */
  private readonly service: RoomService;
  /** For all others. */
  private readonly client: RoomServiceClient;

  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly clock: Clock,
    private readonly dependencies: Dependencies,
  ) {
    const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = config;
    this.service = new RoomService(LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET);
    this.client = new RoomServiceClient(LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, {
      requestTimeout: CALL_TIMEOUT_MS / 1000,
      failover: false,
    });
  }

  onModuleInit(): void {
    this.dependencies.register('livekit', () => this.list(['RM_health']), { required: false });
  }

  onApplicationShutdown(): Promise<void> {
    return this.service.close();
  }

  /** Creates the room. Idempotent: an existing room does not change; a room whose node died is placed on another node. */
  ensureRoom(room: MediaRoom): Promise<void> {
    return this.create(room, CALL_TIMEOUT_MS);
  }

  /** The same with a timeout of one second, for when many rooms wait or the call is retried in any case. */
  recreate(room: MediaRoom): Promise<void> {
    return this.create(room, RECREATE_TIMEOUT_MS);
  }

  private async create(room: MediaRoom, timeout: number): Promise<void> {
    const { emptyTimeout, maxParticipants } = settingsOf(room);
    const departureTimeout = emptyTimeout + DEPARTURE_MARGIN_S;
    const request = { name: room.sid, emptyTimeout: NEVER_JOINED_TIMEOUT_S, departureTimeout, maxParticipants };
    await this.call('CreateRoom', () => this.service.createRoom(request, timeout));
  }

  /**
   * Closes the room and disconnects everyone; a room that does not exist counts as closed. A room whose node died can only be
   * deleted after it was recreated: until then LiveKit 1.13 answers 503, later 500, permanently.
   */
  async close(room: MediaRoom): Promise<void> {
    try {
      await this.delete(room.sid);
    } catch {
      await this.ensureRoom(room);
      await this.delete(room.sid);
    }
  }

  private async delete(sid: string): Promise<void> {
    await this.call('DeleteRoom', () => this.client.deleteRoom(sid)).catch(ignoreNotFound);
  }

  list(sids?: string[]): Promise<Room[]> {
    return this.call('ListRooms', () => this.service.listRooms(sids, SHORT_TIMEOUT_MS));
  }

  /**
   * Null if LiveKit has no such room. LiveKit answers 503 both for that and for a room whose node died; its list of rooms
   * distinguishes the two.
   */
  async participants(sid: string): Promise<ParticipantInfo[] | null> {
    try {
      return await this.call('ListParticipants', () => this.service.listParticipants(sid, CALL_TIMEOUT_MS));
    } catch (error) {
      if (isNotFound(error) || (await this.list([sid])).length === 0) return null;
      throw error;
    }
  }

  async remove(sid: string, uid: string): Promise<void> {
    await this.call('RemoveParticipant', () => this.client.removeParticipant(sid, uid)).catch(ignoreNotFound);
  }

  /** Undefined if the participant is not connected. */
  async participant(sid: string, uid: string): Promise<ParticipantInfo | undefined> {
    return this.call('GetParticipant', () => this.client.getParticipant(sid, uid)).catch((error: unknown) => {
      ignoreNotFound(error);
      return undefined;
    });
  }

  async mute(sid: string, uid: string, trackSid: string): Promise<void> {
    await this.call('MutePublishedTrack', () => this.client.mutePublishedTrack(sid, uid, trackSid, true)).catch(ignoreNotFound);
  }

  /**
   * Grants a participant's rights. Tracks that are no longer permitted end immediately.
   * @param changedAt has the participant's page request its session again
   */
  async grant(sid: string, uid: string, rights: ParticipantRights, changedAt?: Date): Promise<void> {
    const { canPublish, canPublishSources = [], canSubscribe, canPublishData } = grantsOf(rights, sid);
    const permission = { canPublish, canPublishSources, canSubscribe, canPublishData };
    // LiveKit deletes an attribute that is empty.
    const changed = changedAt && { [RIGHTS_CHANGED]: String(changedAt.getTime()) };
    const attributes = { role: rights.role, [UNRECORDED]: rights.isUnrecorded ? '1' : '', ...changed };
    await this.call('UpdateParticipant', () => this.client.updateParticipant(sid, uid, { permission, attributes })).catch(ignoreNotFound);
  }

  /** Changes these attributes of a participant; an empty one is deleted. */
  async setAttributes(sid: string, uid: string, attributes: Record<string, string>): Promise<void> {
    await this.call('UpdateParticipant', () => this.client.updateParticipant(sid, uid, { attributes })).catch(ignoreNotFound);
  }

  /** Sends to every connected participant, under `topic`. */
  async send(sid: string, topic: string, data: Uint8Array): Promise<void> {
    await this.call('SendData', () => this.service.sendData(sid, topic, data, SHORT_TIMEOUT_MS)).catch(ignoreNotFound);
  }

  /** Recreates the room with its current settings: everyone is disconnected and reconnects. */
  async replace(room: MediaRoom): Promise<void> {
    await this.delete(room.sid);
    await this.ensureRoom(room);
  }

  /**
   * By how many seconds LiveKit's clock is ahead of ours, according to its HTTP Date header; 0 if the two agree within the
   * header's precision.
   */
  async clockOffset(): Promise<number> {
    const before = this.clock.wall().getTime();
    const response = await fetch(this.config.LIVEKIT_URL.replace(/^ws/, 'http'), {
      signal: AbortSignal.timeout(SHORT_TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
    const after = this.clock.wall().getTime();
    await response.body?.cancel();
    return offsetBetween(before, after, Date.parse(response.headers.get('date') ?? ''));
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

/**
 * @param livekitTime of a Date header, which was written between two times of our clock; NaN: there was none
 * @returns seconds. An answer that took long leaves more offsets possible: if none is one of them, it is none
 */
export function offsetBetween(before: number, after: number, livekitTime: number): number {
  const [least, most] = [livekitTime - after, livekitTime - before + 999];
  const isNone = Number.isNaN(livekitTime) || (least < NO_OFFSET_MS && most > 999 - NO_OFFSET_MS);
  return isNone ? 0 : Math.round((least + most) / 2_000);
}

const outcomeOf = (error: unknown) => (error instanceof ServerError ? (error.code ?? String(error.status)) : 'unreachable');

/** A 4xx is an answer of LiveKit that we handle; 5xx, timeouts and refused connections mean that LiveKit is unreachable. */
function toAppError(cause: unknown): AppError {
  if (cause instanceof ServerError && cause.status === 404) return new AppError('NOT_FOUND', { cause });
  if (cause instanceof ServerError && cause.status < 500) return new AppError('INTERNAL_ERROR', { cause });
  return new AppError('SERVICE_UNAVAILABLE', { cause });
}

const isNotFound = (error: unknown) => error instanceof AppError && error.code === 'NOT_FOUND';
function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
