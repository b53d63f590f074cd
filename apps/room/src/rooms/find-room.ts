import { Injectable } from '@nestjs/common';
import {
  AppError,
  getRoom,
  getRoomStatus,
  roomRpc,
  type RoomDetails,
  type RoomStatus,
  type RpcInput,
  type RpcOutput,
  type ShownCustomization,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import type { RoomEntity } from '../schema/room.entity.js';
import { settingsOf } from '../schema/settings.js';
import { RoomReadsRepository, type ClassFacts } from './room-reads.repository.js';
import { scheduledEnd, stateOf, type Room } from './room.js';
import { RosterRepository } from './roster.repository.js';

export const toShownCustomization = ({ customization }: Pick<Room, 'customization'>): ShownCustomization => {
  const { showLobby = true, showVideoControls = true, theme } = customization;
  return { showLobby, showVideoControls, theme: theme === 'light' || theme === 'dark' ? theme : 'auto' };
};

function toRoomStatus(room: Room): RoomStatus {
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

const toWholeRoom = (room: RoomEntity, rosterSize: number): RpcOutput<typeof getRoom> => ({
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

function toRoomDescription(room: Room, { metadata, teachers, mayUseAi }: ClassFacts): RpcOutput<typeof roomRpc.describe> {
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

@Injectable()
export class FindRoom {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly roster: RosterRepository,
  ) {}

  @Handles(getRoomStatus)
  async getRoomStatus({ organizationId, roomId }: RpcInput<typeof getRoomStatus>): Promise<RoomStatus> {
    const room = await this.rooms.find(organizationId, roomId);
    return room ? toRoomStatus(room) : { exists: false, isActive: false, roomId };
  }

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(getRoom)
  async getRoom({ organizationId, roomId }: RpcInput<typeof getRoom>) {
    const room = await this.rooms.findWhole(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return toWholeRoom(room, await this.roster.count(room.sid));
  }

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(roomRpc.locate)
  async locate({ sid }: RpcInput<typeof roomRpc.locate>) {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return { organizationId: room.organizationId, roomId: room.roomId, isOver: room.state === 'finished' };
  }

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(roomRpc.describe)
  async describe({ organizationId, roomId, uid }: RpcInput<typeof roomRpc.describe>) {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return toRoomDescription(room, await this.rooms.classFacts(room.sid, uid));
  }
}
