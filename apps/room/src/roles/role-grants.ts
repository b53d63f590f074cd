import { ROLE_PERMISSIONS, type Role } from '@classroom/contracts';
import { TrackSource, type VideoGrant } from 'livekit-server-sdk';
import type { ParticipantRights } from './participant-rights.js';

const ALL_SOURCES = [TrackSource.CAMERA, TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO];
const VOICE_SOURCES = [TrackSource.MICROPHONE];

/** What a participant may publish; for a student with permission to speak, the microphone. */
export const sourcesOf = (role: Role, maySpeak: boolean): TrackSource[] =>
  ROLE_PERMISSIONS[role].publish ? ALL_SOURCES : maySpeak ? VOICE_SOURCES : [];

/** What LiveKit permits a participant to do. No participant is room admin or may change its own attributes: moderation uses our API. */
export function grantsOf({ role, maySpeak, isMuted }: Pick<ParticipantRights, 'role' | 'maySpeak' | 'isMuted'>, sid: string): VideoGrant {
  const sources = isMuted ? [] : sourcesOf(role, maySpeak);
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
