import type { roomRpc, RoomStatus, RpcOutput } from '@classroom/contracts';

/** A row of `rooms`, as pg gives it under the names of `ROOM_COLUMNS`. */
export interface RoomRow {
  sid: string;
  organizationId: string;
  roomId: string;
  title: string;
  description: string | null;
  customization: { showLobby?: boolean; showVideoControls?: boolean; theme?: string };
  maxParticipants: number;
  emptyTimeout: number;
  autoRecord: boolean;
  state: 'creating' | 'created' | 'live' | 'finished' | 'abandoned';
  media: 'open' | 'closing' | 'closed';
  version: number;
  participantCount: number;
  hasTeacher: boolean;
  isRecording: boolean;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  endReason: string | null;
  lastLeftAt: Date | null;
  verifiedAt: Date | null;
  emptySince: Date | null;
  dueAt: Date | null;
  tokensExpireAt: Date | null;
  idempotencyHash: string | null;
}

export const ROOM_COLUMNS = `
  sid, organization_id AS "organizationId", room_id AS "roomId", title, description, customization,
  max_participants AS "maxParticipants", empty_timeout AS "emptyTimeout", auto_record AS "autoRecord", state, media, version::float8 AS version,
  participant_count AS "participantCount", has_teacher AS "hasTeacher", is_recording AS "isRecording",
  created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt", end_reason AS "endReason", last_left_at AS "lastLeftAt",
  verified_at AS "verifiedAt", empty_since AS "emptySince", due_at AS "dueAt", tokens_expire_at AS "tokensExpireAt",
  idempotency_hash AS "idempotencyHash"`;

/** What events say of a room. */
export const toEventRoom = ({ organizationId, sid, roomId }: RoomRow) => ({ organizationId, sid, roomId });

/** What the public calls a room's state: one that is being made is made. */
export const stateOf = ({ state }: Pick<RoomRow, 'state'>) => (state === 'finished' || state === 'live' ? state : 'created');

export function toStatus(room: RoomRow): RoomStatus {
  return {
    exists: true,
    isActive: room.state === 'live',
    roomId: room.roomId,
    title: room.title,
    participantCount: room.participantCount,
    hasTeacher: room.hasTeacher,
    isRecording: room.isRecording,
    createdAt: room.createdAt.toISOString(),
    startedAt: room.startedAt?.toISOString() ?? null,
  };
}

/** What only a tutor asks for: kept out of the columns that every request reads. */
export interface ClassFacts {
  metadata: Record<string, unknown> | null;
  teachers: string[];
}

export const toDescription = (room: RoomRow, { metadata, teachers }: ClassFacts): RpcOutput<typeof roomRpc.describe> => ({
  sid: room.sid,
  roomId: room.roomId,
  title: room.title,
  state: stateOf(room),
  startedAt: room.startedAt?.toISOString() ?? null,
  endedAt: room.endedAt?.toISOString() ?? null,
  roomDescription: room.description,
  metadata,
  settings: { maxParticipants: room.maxParticipants, emptyTimeout: room.emptyTimeout },
  teachers,
});
