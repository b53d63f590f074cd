import type { Permissions, Role } from '@classroom/contracts';
import { TrackSource, type VideoGrant } from 'livekit-server-sdk';

/** The role table of the public contract, once: tokens, the page and every use case ask here. */
const PERMISSIONS: Record<Role, Permissions> = {
  TEACHER: {
    publish: true,
    shareScreen: true,
    manageParticipants: true,
    startRecording: true,
    stopRecording: true,
    endClass: true,
    changeRoom: false,
    managePolls: true,
  },
  MODERATOR: {
    publish: true,
    shareScreen: true,
    manageParticipants: true,
    startRecording: false,
    stopRecording: true,
    endClass: false,
    changeRoom: false,
    managePolls: true,
  },
  STUDENT: {
    publish: false,
    shareScreen: false,
    manageParticipants: false,
    startRecording: false,
    stopRecording: false,
    endClass: false,
    changeRoom: false,
    managePolls: false,
  },
  ADMIN: {
    publish: true,
    shareScreen: true,
    manageParticipants: true,
    startRecording: true,
    stopRecording: true,
    endClass: true,
    changeRoom: true,
    managePolls: true,
  },
};

export const permissionsOf = (role: Role): Permissions => PERMISSIONS[role];

const EVERYTHING = [TrackSource.CAMERA, TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO];
const VOICE = [TrackSource.MICROPHONE];

/** What a participant may publish; a student who was given the word, a voice. */
export const sourcesOf = (role: Role, maySpeak: boolean): TrackSource[] =>
  PERMISSIONS[role].publish ? EVERYTHING : maySpeak ? VOICE : [];

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
