import type { roomRpc, RpcOutput } from '@classroom/contracts';
import { stateOf, type Room } from './room.js';
import type { ClassFacts } from './room-reads.repository.js';

export const toRoomDescription = (room: Room, { metadata, teachers, mayUseAi }: ClassFacts): RpcOutput<typeof roomRpc.describe> => ({
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
  mayUseAi: room.mayUseAi && mayUseAi,
  isAttendanceEvaluated: room.attendance !== null,
});
