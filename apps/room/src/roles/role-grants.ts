import { ROLE_PERMISSIONS, type Role } from '@classroom/contracts';
import { TrackSource, type VideoGrant } from 'livekit-server-sdk';

const EVERYTHING = [TrackSource.CAMERA, TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO];
const VOICE = [TrackSource.MICROPHONE];

/** What a participant may publish; a student who was given the word, a voice. */
export const sourcesOf = (role: Role, maySpeak: boolean): TrackSource[] =>
  ROLE_PERMISSIONS[role].publish ? EVERYTHING : maySpeak ? VOICE : [];

/** What LiveKit lets the role do. Nobody is room admin or changes its own attributes: moderation goes through our API. */
export function grantsOf(role: Role, sid: string, maySpeak = false): VideoGrant {
  const sources = sourcesOf(role, maySpeak);
  return {
    room: sid,
    roomJoin: true,
    roomAdmin: false,
    canSubscribe: true,
    canPublish: sources.length > 0,
    // What a class shows comes from the server, and nothing of ours sends data from a client.
    canPublishData: false,
    canUpdateOwnMetadata: false,
    ...(sources.length > 0 ? { canPublishSources: sources } : {}),
  };
}
