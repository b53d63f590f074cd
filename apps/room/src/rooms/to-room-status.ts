import type { RoomStatus } from '@classroom/contracts';
import type { Room } from './room.js';

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
