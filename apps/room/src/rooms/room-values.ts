import type { RoomEntity } from '../schema/room.entity.js';
import type { Room } from './room.js';

/** What a creation writes. */
export type NewRoom = Pick<
  RoomEntity,
  | 'sid'
  | 'organizationId'
  | 'roomId'
  | 'title'
  | 'description'
  | 'metadata'
  | 'customization'
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
  | 'createdAt'
  | 'dueAt'
  | 'idempotencyKey'
  | 'idempotencyHash'
  | 'tokensExpireAt'
  | 'schedule'
  | 'scheduleDueAt'
  | 'budget'
  | 'attendance'
>;

/** What the organization's backend, or an admin in class, can change. */
export type ChangedDetails = Pick<
  Room,
  | 'title'
  | 'description'
  | 'customization'
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
  | 'schedule'
  | 'startedAt'
  | 'budget'
  | 'budgetVersion'
  | 'doorsClosed'
  | 'attendance'
> & { metadata: RoomEntity['metadata'] | undefined };
