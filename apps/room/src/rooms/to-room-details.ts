import type { RoomDetails } from '@classroom/contracts';
import type { Room } from './room.js';
import { scheduledEnd } from './schedule.js';
import { settingsOf } from '../schema/settings.js';
import { toShownCustomization } from './to-shown-customization.js';

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
