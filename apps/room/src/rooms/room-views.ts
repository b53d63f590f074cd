import type { getRoom, RoomDetails, roomRpc, RoomStatus, RpcOutput, ShownCustomization } from '@classroom/contracts';
import type { RoomEntity } from '../schema/room.entity.js';
import { settingsOf } from '../schema/settings.js';
import type { ClassFacts } from './room-reads.repository.js';
import { stateOf, type Room } from './room.js';
import { scheduledEnd } from './schedule.js';

export const toShownCustomization = ({ customization }: Pick<Room, 'customization'>): ShownCustomization => {
  const { showLobby = true, showVideoControls = true, theme } = customization;
  return { showLobby, showVideoControls, theme: theme === 'light' || theme === 'dark' ? theme : 'auto' };
};

export function toRoomStatus(room: Room): RoomStatus {
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

export const toWholeRoom = (room: RoomEntity, rosterSize: number): RpcOutput<typeof getRoom> => ({
  roomId: room.roomId,
  sid: room.sid,
  title: room.title,
  roomDescription: room.description,
  metadata: room.metadata,
  customization: toShownCustomization(room),
  settings: settingsOf(room),
  rosterSize,
  status: stateOf(room),
  participantCount: room.participantCount,
  hasTeacher: room.hasTeacher,
  isRecording: room.isRecording,
  createdAt: room.createdAt.toISOString(),
  startedAt: room.startedAt?.toISOString() ?? null,
  endedAt: room.endedAt?.toISOString() ?? null,
  endReason: room.endReason,
});

type DetailedRoom = Pick<Room, 'title' | 'description' | 'customization' | 'settings' | 'startedAt'>;

/** What everyone in class may know about the room. @param room by our clock: see `RoomDeadlines.byOurClock` */
export function toRoomDetails(room: DetailedRoom): RoomDetails {
  const { maxParticipants, emptyTimeout, chat, permissions, consent, waitingRoom } = settingsOf(room);
  return {
    title: room.title,
    roomDescription: room.description,
    maxParticipants,
    emptyTimeout,
    chat,
    ...(Object.keys(permissions).length > 0 && { permissions }),
    consent,
    waitingRoom,
    customization: toShownCustomization(room),
    classEndsAt: scheduledEnd(room)?.toISOString() ?? null,
  };
}

export function toRoomDescription(room: Room, { metadata, teachers, mayUseAi }: ClassFacts): RpcOutput<typeof roomRpc.describe> {
  const { maxParticipants, emptyTimeout, consent, attendance } = settingsOf(room);
  return {
    sid: room.sid,
    roomId: room.roomId,
    title: room.title,
    state: stateOf(room),
    startedAt: room.startedAt?.toISOString() ?? null,
    endedAt: room.endedAt?.toISOString() ?? null,
    roomDescription: room.description,
    metadata,
    settings: { maxParticipants, emptyTimeout },
    teachers,
    mayUseAi: consent.ai && mayUseAi,
    isAttendanceEvaluated: attendance !== null,
  };
}
