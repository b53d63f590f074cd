import { RoomEvent, type Room } from 'livekit-client';

const PATIENCE_MS = 5_000;

/** Who was just allowed to speak hears it from our service a moment before LiveKit does. */
export function mayPublish(room: Room): Promise<void> {
  const isAllowed = () => room.localParticipant.permissions?.canPublish !== false;
  if (isAllowed()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      room.off(RoomEvent.ParticipantPermissionsChanged, look);
      resolve();
    };
    const look = () => isAllowed() && done();
    const timer = setTimeout(done, PATIENCE_MS);
    room.on(RoomEvent.ParticipantPermissionsChanged, look);
  });
}
