import type { getRoom, RpcOutput } from '@classroom/contracts';
import type { Room } from './room.js';
import type { SettingsColumn } from './room-values.js';
import { toShownSchedule } from './schedule.js';

type Settings = RpcOutput<typeof getRoom>['settings'];
export type WithSettings = Pick<Room, SettingsColumn>;

export const toShownSettings = (room: WithSettings): Settings => ({
  maxParticipants: room.maxParticipants,
  emptyTimeout: room.emptyTimeout,
  autoRecord: room.autoRecord,
  chat: { mode: room.chatMode, slowModeSeconds: room.slowModeSeconds },
  permissions: room.rolePermissions ?? {},
  consent: { recording: room.recordingConsent, ai: room.mayUseAi },
  waitingRoom: room.waitingRoom,
  duplicateJoin: room.duplicateJoin,
  budget: room.budget,
  attendance: room.attendance,
  ...toShownSchedule(room),
});
