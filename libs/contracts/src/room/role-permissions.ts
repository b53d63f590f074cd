import type { Role } from '../kernel/ids.js';
import type { Permissions } from './classroom.operations.js';

/** What each role may do. Tokens, the page and every use case follow this table. */
export const ROLE_PERMISSIONS: Record<Role, Permissions> = {
  TEACHER: {
    publish: true,
    shareScreen: true,
    manageParticipants: true,
    startRecording: true,
    stopRecording: true,
    endClass: true,
    changeRoom: false,
    managePolls: true,
    chat: true,
    ai: true,
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
    chat: true,
    ai: true,
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
    chat: true,
    ai: true,
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
    chat: true,
    ai: true,
  },
};
