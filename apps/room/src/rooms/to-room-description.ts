import type { roomRpc, RpcOutput } from '@classroom/contracts';
import { stateOf, type Room } from './room.js';
import { settingsOf } from '../schema/settings.js';
import type { ClassFacts } from './room-reads.repository.js';

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
