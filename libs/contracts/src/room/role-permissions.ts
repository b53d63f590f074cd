import type { Role } from '../kernel/values.js';
import type { Grants } from './permission-settings.js';

/** What everyone may do who is in class. */
const PARTICIPATE = { chat: true, raiseHand: true, react: true, answerPolls: true };
const PUBLISH = { publishAudio: true, publishVideo: true, shareScreen: true };
const MODERATE = { managePolls: true, draw: true, manageBoard: true, manageParticipants: true, stopRecording: true };

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
    draw: false,
    manageBoard: false,
    manageParticipants: false,
    startRecording: false,
    stopRecording: false,
    endClass: false,
    changeRoom: false,
  },
  ADMIN: { ...PARTICIPATE, ...PUBLISH, ...MODERATE, startRecording: true, endClass: true, changeRoom: true },
};
