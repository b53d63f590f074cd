import { ROLE_PERMISSIONS, type Grants, type Role } from '@classroom/contracts';
import { TrackSource, type VideoGrant } from 'livekit-server-sdk';

/** What a participant may do, according to our rows. */
export interface ParticipantRights {
  role: Role;
  permissions: Grants;
  /** A student who has permission to speak. */
  maySpeak: boolean;
  /** Publishes nothing, because consent to a recording is missing. */
  isMuted: boolean;
  /** Neither shown nor played by a recording. */
  isUnrecorded: boolean;
  /** Has no place in class, because consent or admission is missing. */
  isRefused: boolean;
}

/** The rights of a participant whom no class asks for consent, and of whom nothing but the role is said. */
export const unlimited = (role: Role): ParticipantRights => ({
  role,
  permissions: ROLE_PERMISSIONS[role],
  maySpeak: false,
  isMuted: false,
  isUnrecorded: false,
  isRefused: false,
});

/** In ascending order. */
export const ALL_SOURCES = [TrackSource.CAMERA, TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO];

type PublishRights = Pick<ParticipantRights, 'permissions' | 'maySpeak' | 'isMuted'>;

/** What a participant may publish, in the order of `ALL_SOURCES`; for a student with permission to speak also the microphone. */
export function sourcesOf({ permissions, maySpeak, isMuted }: PublishRights): TrackSource[] {
  if (isMuted) return [];
  return [
    ...(permissions.publishVideo ? [TrackSource.CAMERA] : []),
    ...(permissions.publishAudio || maySpeak ? [TrackSource.MICROPHONE] : []),
    ...(permissions.shareScreen ? [TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO] : []),
  ];
}

/** What LiveKit permits a participant to do. No participant is room admin or may change its own attributes: moderation uses our API. */
export function grantsOf(rights: PublishRights, sid: string): VideoGrant {
  const sources = sourcesOf(rights);
  return {
    room: sid,
    roomJoin: true,
    roomAdmin: false,
    canSubscribe: true,
    canPublish: sources.length > 0,
    // The server sends everything that a class shows; our clients send no data packets.
    canPublishData: false,
    canUpdateOwnMetadata: false,
    ...(sources.length > 0 ? { canPublishSources: sources } : {}),
  };
}
