import type { Room } from 'livekit-client';
import { livekit } from './livekit.js';

const TIMEOUT_MS = 5_000;

/**
 * Resolves when LiveKit allows publishing, or after 5 s. After a permission change, the service notifies the page shortly
 * before LiveKit applies it.
 */
export function waitUntilMayPublish(room: Room): Promise<void> {
  const isAllowed = () => room.localParticipant.permissions?.canPublish !== false;
  if (isAllowed()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      room.off(livekit.RoomEvent.ParticipantPermissionsChanged, check);
      resolve();
    };
    const check = () => isAllowed() && done();
    const timer = setTimeout(done, TIMEOUT_MS);
    room.on(livekit.RoomEvent.ParticipantPermissionsChanged, check);
  });
}
