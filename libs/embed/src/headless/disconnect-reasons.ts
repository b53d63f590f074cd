import { DisconnectReason as LivekitReason } from 'livekit-client';
import type { ClassroomEvents, DisconnectReason } from '../protocol.js';
import { ClassroomRefusal } from './refusal.js';

/** Maps LiveKit's reason for a disconnection. In all but two cases the client reconnects. */
export function toDisconnectedEvent(reason: LivekitReason | undefined): ClassroomEvents['disconnected'] {
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
  // The session expired, the participant was removed, or joined elsewhere: the service does not disclose which to an unauthorized caller.
  UNAUTHORIZED: 'participant_removed',
};

/** Maps the service's refusal of a participant who was in class. */
export function toDisconnectReason(error: unknown): DisconnectReason {
  return (error instanceof ClassroomRefusal && BY_CODE[error.code]) || 'unknown';
}
