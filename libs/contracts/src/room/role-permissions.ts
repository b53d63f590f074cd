import type { Role } from '../kernel/ids.js';
import type { Grants } from './permission-settings.js';

/** What everyone may do who is in class. */
const PARTICIPATE = { chat: true, raiseHand: true, react: true, answerPolls: true };
const PUBLISH = { publishAudio: true, publishVideo: true, shareScreen: true };
const MODERATE = { managePolls: true, manageParticipants: true, stopRecording: true };

/** What each role may do, unless the room or the participant's own permissions say otherwise. Tokens, the page and every use case follow it. */
export const ROLE_PERMISSIONS: Record<Role, Grants> = {
  TEACHER: { ...PARTICIPATE, ...PUBLISH, ...MODERATE, startRecording: true, endClass: true, changeRoom: false },
  MODERATOR: { ...PARTICIPATE, ...PUBLISH, ...MODERATE, startRecording: false, endClass: false, changeRoom: false },
  STUDENT: {
    ...PARTICIPATE,
    publishAudio: false,
    publishVideo: false,
    shareScreen: false,
    managePolls: false,
    manageParticipants: false,
    startRecording: false,
    stopRecording: false,
    endClass: false,
    changeRoom: false,
  },
  ADMIN: { ...PARTICIPATE, ...PUBLISH, ...MODERATE, startRecording: true, endClass: true, changeRoom: true },
};

/** From the lowest to the highest: the lower one cannot mute, remove or refuse the higher one. */
const RANKS: readonly Role[] = ['STUDENT', 'MODERATOR', 'TEACHER', 'ADMIN'];

/** Whether a role is higher than another. Who manages participants mutes, removes and refuses no one of a higher role than their own. */
export const outranks = (role: Role, other: Role): boolean => RANKS.indexOf(role) > RANKS.indexOf(other);
