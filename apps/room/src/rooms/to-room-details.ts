import type { RoomDetails } from '@classroom/contracts';
import type { Room } from './room.js';
import { scheduledEnd } from './schedule.js';
import { toShownCustomization } from './to-shown-customization.js';

type DetailedRoom = Pick<
  Room,
  | 'title'
  | 'description'
  | 'customization'
  | 'maxParticipants'
  | 'emptyTimeout'
  | 'chatMode'
  | 'slowModeSeconds'
  | 'rolePermissions'
  | 'recordingConsent'
  | 'mayUseAi'
  | 'waitingRoom'
  | 'schedule'
  | 'startedAt'
>;

/** What everyone in class may know about the room. @param room by our clock: see `RoomDeadlines.byOurClock` */
export const toRoomDetails = (room: DetailedRoom): RoomDetails => ({
  title: room.title,
  roomDescription: room.description,
  maxParticipants: room.maxParticipants,
  emptyTimeout: room.emptyTimeout,
  chat: { mode: room.chatMode, slowModeSeconds: room.slowModeSeconds },
  ...(room.rolePermissions && { permissions: room.rolePermissions }),
  consent: { recording: room.recordingConsent, ai: room.mayUseAi },
  waitingRoom: room.waitingRoom,
  customization: toShownCustomization(room),
  classEndsAt: scheduledEnd(room)?.toISOString() ?? null,
});
