import { shown } from '../kernel/fields.js';
import { z } from 'zod';
import { NAMES } from '../kernel/names.js';
import { attendancePolicy } from './attendance-settings.js';
import { roomBudget } from './budget-settings.js';
import { chatSettings } from './chat-settings.js';
import { consentSettings } from './consent-settings.js';
import { shownDuplicateJoin } from './duplicate-join.js';
import { PERMISSIONS_OF_ROLES, shownRolePermissions } from './permission-settings.js';
import { shownSchedule } from './schedule-settings.js';
import { shownWaitingRoom } from './waiting-room.js';

export const shownBudget = roomBudget.nullable().describe('The most credits that the class may use; null: no limit.');
export const shownAttendance = attendancePolicy.nullable().describe('The attendance policy; null: attendance is not evaluated.');

/** The settings that apply to a room: those that were given, and the defaults of the rest. */
export const roomSettings = z
  .object({
    maxParticipants: shown.maxParticipants,
    emptyTimeout: shown.emptyTimeout,
    waitingRoom: shownWaitingRoom,
    duplicateJoin: shownDuplicateJoin,
    budget: shownBudget,
    attendance: shownAttendance,
    autoRecord: shown.autoRecord,
    chat: chatSettings.describe('Who may write in the chat, and how often.'),
    permissions: shownRolePermissions.default({}).describe(PERMISSIONS_OF_ROLES),
    consent: consentSettings.describe('Which consent to recordings the class asks for, and whether AI may be used.'),
    ...shownSchedule,
  })
  .register(NAMES, { id: 'RoomSettings', description: 'The settings of a room.' });
