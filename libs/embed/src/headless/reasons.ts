import { DisconnectReason as LivekitReason } from 'livekit-client';
import type { ClassroomEvents, DisconnectReason } from '../protocol.js';
import { ClassroomRefusal } from './refusal.js';

/** When LiveKit lets go of us: but for two cases it is tried again. */
export function afterLoss(reason: LivekitReason | undefined): ClassroomEvents['disconnected'] {
  switch (reason) {
    case LivekitReason.PARTICIPANT_REMOVED:
      return { reason: 'participant_removed', willReconnect: false };
    case LivekitReason.DUPLICATE_IDENTITY:
      return { reason: 'duplicate_identity', willReconnect: false };
    case LivekitReason.SERVER_SHUTDOWN:
    case LivekitReason.ROOM_DELETED:
    case LivekitReason.ROOM_CLOSED:
    case LivekitReason.MIGRATION:
      return { reason: 'server_shutdown', willReconnect: true };
    default:
      return { reason: 'network_disconnect', willReconnect: true };
  }
}

const BY_CODE: Record<string, DisconnectReason> = {
  ROOM_ENDED: 'class_ended',
  ROOM_FULL: 'room_full',
  // Away too long, put out meanwhile, or here from elsewhere: the service does not tell a stranger which.
  UNAUTHORIZED: 'participant_removed',
};

/** When the service refuses one who was in class. */
export function afterRefusal(error: unknown): DisconnectReason {
  return (error instanceof ClassroomRefusal && BY_CODE[error.code]) || 'unknown';
}
