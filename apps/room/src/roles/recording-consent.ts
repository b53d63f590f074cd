import type { OwnConsent } from '@classroom/contracts';
import { settingsOf, type WithSettings } from '../schema/settings.js';
import { permissionsOf, type OwnPermissions } from './permissions.js';

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
