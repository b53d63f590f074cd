import type { Permissions } from '@classroom/contracts';
import type { Participant } from '../participants/participants.repository.js';
import { consentEffects, permissionsOf } from '../participants/participant-rights.js';
import type { Room } from '../rooms/room.js';
import { settingsOf } from '../schema/settings.js';

/** What the page of a participant offers. */
export function toPermissions(room: Room, participant: Participant): Permissions {
  const permissions = permissionsOf(room, participant);
  const { isMuted } = consentEffects(room, participant);
  const publishAudio = permissions.publishAudio && !isMuted;
  const publishVideo = permissions.publishVideo && !isMuted;
  return {
    ...permissions,
    publish: publishAudio && publishVideo,
    publishAudio,
    publishVideo,
    shareScreen: permissions.shareScreen && !isMuted,
    ai: settingsOf(room).consent.ai && participant.mayUseAi,
  };
}
