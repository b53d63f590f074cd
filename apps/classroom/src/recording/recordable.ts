import { RoomEvent, type Participant, type RemoteParticipant, type Room } from 'livekit-client';

/** Attribute of a participant who has not consented to recordings. Only the server sets it. */
const UNRECORDED = 'unrecorded';

/** Whether a recording may show and play a participant. */
export const isRecordable = ({ attributes }: Participant): boolean => !attributes[UNRECORDED];

/**
 * Nothing of a participant without consent reaches the recorder: the page does not subscribe by itself, and it ends subscriptions as soon as
 * consent is withdrawn.
 */
export function followConsent(room: Room): void {
  room
    .on(RoomEvent.TrackPublished, (_, participant) => subscribe(participant))
    .on(RoomEvent.ParticipantAttributesChanged, (changed, participant) => {
      if (changed[UNRECORDED] !== undefined && !participant.isLocal) subscribe(participant as RemoteParticipant);
    });
}

/** For the participants who were in the room before the recorder. */
export function subscribeToConsenting(room: Room): void {
  for (const participant of room.remoteParticipants.values()) subscribe(participant);
}

function subscribe(participant: RemoteParticipant): void {
  const isWanted = isRecordable(participant);
  for (const publication of participant.trackPublications.values())
    if (publication.isDesired !== isWanted) publication.setSubscribed(isWanted);
}
