import type { DisconnectReason as HostReason } from '@virtual-classroom/embed';
import { DisconnectReason } from 'livekit-client';
import type { OutcomeReason } from './outcomes.js';

export interface DisconnectedEvent {
  reason: HostReason;
  willReconnect: boolean;
}

/** Maps LiveKit's reason for a disconnection to the one that the host page receives. In all but two cases the page reconnects. */
export function toDisconnectedEvent(reason: DisconnectReason | undefined): DisconnectedEvent {
  switch (reason) {
    case DisconnectReason.PARTICIPANT_REMOVED:
      return { reason: 'participant_removed', willReconnect: false };
    case DisconnectReason.DUPLICATE_IDENTITY:
      return { reason: 'duplicate_identity', willReconnect: false };
    case DisconnectReason.SERVER_SHUTDOWN:
    case DisconnectReason.ROOM_DELETED:
    case DisconnectReason.ROOM_CLOSED:
    case DisconnectReason.MIGRATION:
      return { reason: 'server_shutdown', willReconnect: true };
    default:
      return { reason: 'network_disconnect', willReconnect: true };
  }
}

const FINAL: Partial<Record<OutcomeReason, HostReason>> = {
  left: 'voluntary_leave',
  ended: 'class_ended',
  removed: 'participant_removed',
  refused: 'participant_removed',
  'no-consent': 'participant_removed',
  replaced: 'duplicate_identity',
  expired: 'token_expired',
  full: 'room_full',
  unreachable: 'network_disconnect',
  'no-media': 'network_disconnect',
};

/** The same for the end of the stay. */
export function toFinalDisconnectedEvent(reason: OutcomeReason): DisconnectedEvent {
  return { reason: FINAL[reason] ?? 'unknown', willReconnect: false };
}
