import { DisconnectReason } from 'livekit-client';
import { loadLiveKit } from '../media/livekit.js';
import { toFinalDisconnectedEvent, toDisconnectedEvent } from './host-events.js';

describe('the reason for the embedding page', () => {
  beforeAll(loadLiveKit);

  it.each([
    [DisconnectReason.PARTICIPANT_REMOVED, 'participant_removed', false],
    [DisconnectReason.DUPLICATE_IDENTITY, 'duplicate_identity', false],
    [DisconnectReason.ROOM_DELETED, 'server_shutdown', true],
    [DisconnectReason.SERVER_SHUTDOWN, 'server_shutdown', true],
    [DisconnectReason.STATE_MISMATCH, 'network_disconnect', true],
    [undefined, 'network_disconnect', true],
  ])('after LiveKit’s %s is %s, will reconnect: %s', (given, reason, willReconnect) => {
    expect(toDisconnectedEvent(given)).toEqual({ reason, willReconnect });
  });

  it.each([
    ['left', 'voluntary_leave'],
    ['ended', 'class_ended'],
    ['removed', 'participant_removed'],
    ['replaced', 'duplicate_identity'],
    ['expired', 'token_expired'],
    ['full', 'room_full'],
    ['no-media', 'network_disconnect'],
    ['failed', 'unknown'],
  ] as const)('at the end by %s is %s', (given, reason) => {
    expect(toFinalDisconnectedEvent(given)).toEqual({ reason, willReconnect: false });
  });
});
