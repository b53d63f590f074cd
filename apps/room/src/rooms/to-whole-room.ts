import type { getRoom, RpcOutput } from '@classroom/contracts';
import type { RoomEntity } from '../schema/room.entity.js';
import { stateOf } from './room.js';
import { settingsOf } from '../schema/settings.js';
import { toShownCustomization } from './to-shown-customization.js';

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
