import { RoomEvent, type Room } from 'livekit-client';

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
      room.off(RoomEvent.ParticipantPermissionsChanged, check);
      resolve();
    };
    const check = () => isAllowed() && done();
    const timer = setTimeout(done, TIMEOUT_MS);
    room.on(RoomEvent.ParticipantPermissionsChanged, check);
  });
}
