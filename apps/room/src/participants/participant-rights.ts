import { ROLE_PERMISSIONS, type Admission, type Grants, type OwnConsent, type PermissionOverrides, type Role } from '@classroom/contracts';
import type { ParticipantRights } from '../livekit/join-token.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';

/** What the latest token of a participant says. */
export interface OwnPermissions {
  role: Role;
  permissions: PermissionOverrides | null;
}

/** What a participant may do: what is said of the participant comes before what is said of the role in this room, and that before the role. */
export const permissionsOf = (room: WithSettings, { role, permissions }: OwnPermissions): Grants => ({
  ...ROLE_PERMISSIONS[role],
  ...settingsOf(room).permissions[role],
  ...permissions,
});

/** Whether people with this role wait until they are admitted. */
export function isRoleWaiting(room: WithSettings, role: Role): boolean {
  const { waitingRoom } = settingsOf(room);
  if (waitingRoom === 'OFF' || role === 'ADMIN') return false;
  return waitingRoom === 'ALL' || !ROLE_PERMISSIONS[role].manageParticipants;
}

/** Whether the participant has no place in class yet: the role waits, and they were not admitted. */
export const isOutside = (room: WithSettings, { role, admission }: { role: Role; admission: Admission | null }): boolean =>
  admission !== 'ADMITTED' && isRoleWaiting(room, role);

/** The columns of a room that decide about consent. */
export interface ConsentRoom extends WithSettings {
  isRecording: boolean;
}

/** A participant's role, permissions and latest answer. */
export interface ConsentAnswer extends OwnPermissions {
  consentVersion: string | null;
  consentGranted: boolean | null;
}

export interface ConsentEffects {
  /** Undefined if the class asks this participant for no consent. */
  state: OwnConsent['state'] | undefined;
  /** Whether the answer matters now: at the join, or while a recording runs. */
  isAsked: boolean;
  /** Publishes nothing. */
  isMuted: boolean;
  /** Neither shown nor played by a recording. */
  isUnrecorded: boolean;
  /** Has no place in class. */
  isRefused: boolean;
}

const NONE: ConsentEffects = { state: undefined, isAsked: false, isMuted: false, isUnrecorded: false, isRefused: false };

export const NO_ANSWER = { consentVersion: null, consentGranted: null };

/** What a participant's answer means in a class. Who may start a recording is not asked: they consent by starting it. */
export function consentEffects(room: ConsentRoom, participant: ConsentAnswer): ConsentEffects {
  const { recording } = settingsOf(room).consent;
  const { consentVersion, consentGranted } = participant;
  if (!recording || permissionsOf(room, participant).startRecording) return NONE;
  const { ask, without, version } = recording;
  const isAsked = ask === 'join' || room.isRecording;
  if (consentVersion !== version || consentGranted === null)
    return { state: 'REQUIRED', isAsked, isMuted: isAsked && without !== 'hide', isUnrecorded: true, isRefused: false };
  if (consentGranted) return { ...NONE, state: 'GRANTED', isAsked };
  return {
    state: 'REFUSED',
    isAsked,
    isMuted: isAsked && without !== 'hide',
    isUnrecorded: true,
    isRefused: isAsked && without === 'refuse',
  };
}

/** What the rows of a participant and the room allow. */
export function rightsOf(
  room: ConsentRoom,
  participant: ConsentAnswer & { maySpeak: boolean; admission: Admission | null },
): ParticipantRights {
  const { isMuted, isUnrecorded, isRefused } = consentEffects(room, participant);
  const { role, permissions } = participant;
  // No teacher allows what the organization's backend forbids this participant.
  const maySpeak = participant.maySpeak && permissions?.publishAudio !== false;
  const isOut = isRefused || isOutside(room, participant);
  return { role, permissions: permissionsOf(room, participant), maySpeak, isMuted, isUnrecorded, isRefused: isOut };
}
