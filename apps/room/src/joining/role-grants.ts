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
  },
  MODERATOR: {
    publish: true,
    shareScreen: true,
    manageParticipants: true,
    startRecording: false,
    stopRecording: true,
    endClass: false,
    changeRoom: false,
  },
  STUDENT: {
    publish: false,
    shareScreen: false,
    manageParticipants: false,
    startRecording: false,
    stopRecording: false,
    endClass: false,
    changeRoom: false,
  },
  ADMIN: {
    publish: true,
    shareScreen: true,
    manageParticipants: true,
    startRecording: true,
    stopRecording: true,
    endClass: true,
    changeRoom: true,
  },
};

export const permissionsOf = (role: Role): Permissions => PERMISSIONS[role];

/** What LiveKit lets the role do. Nobody is room admin or changes its own attributes: moderation goes through our API. */
export function grantsOf(role: Role, sid: string): VideoGrant {
  const { publish } = PERMISSIONS[role];
  return {
    room: sid,
    roomJoin: true,
    roomAdmin: false,
    canSubscribe: true,
    canPublish: publish,
    canPublishData: publish,
    canUpdateOwnMetadata: false,
    ...(publish
      ? {
          canPublishSources: [
            TrackSource.CAMERA,
            TrackSource.MICROPHONE,
            TrackSource.SCREEN_SHARE,
            TrackSource.SCREEN_SHARE_AUDIO,
          ],
        }
      : {}),
  };
}
