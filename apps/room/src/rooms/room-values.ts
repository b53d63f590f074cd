import type { RoomEntity } from '../schema/room.entity.js';
import type { Room } from './room.js';

/** The columns that a room's settings are in. */
export type SettingsColumn =
  | 'maxParticipants'
  | 'emptyTimeout'
  | 'autoRecord'
  | 'chatMode'
  | 'slowModeSeconds'
  | 'rolePermissions'
  | 'recordingConsent'
  | 'mayUseAi'
  | 'waitingRoom'
  | 'duplicateJoin'
  | 'budget'
  | 'attendance'
  | 'schedule';

/** What a creation writes. */
export type NewRoom = Pick<
  RoomEntity,
  | SettingsColumn
  | 'sid'
  | 'organizationId'
  | 'roomId'
  | 'title'
  | 'description'
  | 'metadata'
  | 'customization'
  | 'createdAt'
  | 'dueAt'
  | 'idempotencyKey'
  | 'idempotencyHash'
  | 'tokensExpireAt'
  | 'scheduleDueAt'
>;

/** What the organization's backend, or an admin in class, can change. */
export type ChangedDetails = Pick<
  Room,
  SettingsColumn | 'title' | 'description' | 'customization' | 'startedAt' | 'budgetVersion' | 'doorsClosed'
> & { metadata: RoomEntity['metadata'] | undefined };
