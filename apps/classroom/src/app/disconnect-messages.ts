import type { DisconnectReason as HostReason } from '@virtual-classroom/embed';
import type { DisconnectReason } from 'livekit-client';
import { livekit } from '../media/livekit.js';
import type { OutcomeReason } from './outcomes.js';

export interface DisconnectedEvent {
  reason: HostReason;
  willReconnect: boolean;
}

/** Maps LiveKit's reason for a disconnection to the one that the host page receives. In all but two cases the page reconnects. */
export function toDisconnectedEvent(reason: DisconnectReason | undefined): DisconnectedEvent {
  const { DisconnectReason: Reason } = livekit;
  switch (reason) {
    case Reason.PARTICIPANT_REMOVED:
      return { reason: 'participant_removed', willReconnect: false };
    case Reason.DUPLICATE_IDENTITY:
      return { reason: 'duplicate_identity', willReconnect: false };
    case Reason.SERVER_SHUTDOWN:
    case Reason.ROOM_DELETED:
    case Reason.ROOM_CLOSED:
    case Reason.MIGRATION:
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
