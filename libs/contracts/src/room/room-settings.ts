import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { NAMES } from '../kernel/reference.js';
import { attendanceChanges, attendancePolicy, changedAttendance } from './attendance-settings.js';
import { budgetChanges, changedBudget, roomBudget } from './budget-settings.js';
import { changedChatSettings, chatSettings, newChatSettings } from './chat-settings.js';
import { changedConsent, consentChanges, consentSettings, NO_CONSENT_ASKED } from './consent-settings.js';
import {
  changedPermissions,
  changedRolePermissions,
  changedStudentPermissions,
  PERMISSIONS_OF_ROLES,
  rolePermissions,
  shownRolePermissions,
} from './permission-settings.js';
import { changedSchedule, JOIN_BEFORE, newSchedule, shownSchedule } from './schedule-settings.js';
import { shownWaitingRoom, WAITING_ROOM, waitingRoom } from './waiting-room.js';

/**
 * The settings of a room, which the room service stores as one document. A new setting has its place in this file: how it is shown, its default,
 * and in which of the four requests it can be given.
 */

const MAX_PARTICIPANTS = 'Maximum number of participants at the same time, 1 to 5,000.';
const EMPTY_TIMEOUT = 'Seconds from the last leave to the end of the class, 1 to 1,800.';
const MUTE_ON_JOIN =
  'Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class.';
const CHAT = 'Who may write in the chat, and how often.';
const ATTENDANCE = 'The attendance policy.';

export const MOST_PARTICIPANTS = 5_000;
const maxParticipants = z.number().int().min(1).max(MOST_PARTICIPANTS);
const emptyTimeout = z.number().int().min(1).max(1800);

/** What happens when a participant who is in class joins once more. */
export const duplicateJoin = z.enum(['replace', 'refuse']);

const DUPLICATE_JOIN =
  'What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself.';

const shownDuplicateJoin = duplicateJoin.default('replace').meta({ 'x-extensible': true }).describe(DUPLICATE_JOIN);

/** The settings that apply to a room: those that were given, and the defaults of the rest. */
export const roomSettings = z
  .object({
    maxParticipants: shown.maxParticipants,
    emptyTimeout: shown.emptyTimeout,
    waitingRoom: shownWaitingRoom,
    duplicateJoin: shownDuplicateJoin,
    muteOnJoin: z.boolean().default(false).describe(MUTE_ON_JOIN),
    budget: roomBudget.nullable().describe('The most credits that the class may use; null: no limit.'),
    attendance: attendancePolicy.nullable().describe('The attendance policy; null: attendance is not evaluated.'),
    autoRecord: shown.autoRecord,
    chat: chatSettings.describe(CHAT),
    permissions: shownRolePermissions.default({}).describe(PERMISSIONS_OF_ROLES),
    consent: consentSettings.describe('Which consent to recordings the class asks for, and whether AI may be used.'),
    ...shownSchedule,
  })
  .register(NAMES, { id: 'RoomSettings', description: 'The settings of a room.' });
export type RoomSettings = z.infer<typeof roomSettings>;

/** The settings of a room for which nothing is given. */
export const DEFAULT_SETTINGS: RoomSettings = {
  maxParticipants: 1000,
  emptyTimeout: 300,
  waitingRoom: 'OFF',
  duplicateJoin: 'replace',
  muteOnJoin: false,
  budget: null,
  attendance: null,
  autoRecord: false,
  chat: { mode: 'ALL', slowModeSeconds: 0 },
  permissions: {},
  consent: NO_CONSENT_ASKED,
  startsAt: null,
  endsAt: null,
  joinBefore: JOIN_BEFORE,
  maxDuration: null,
};

/** Of a new room. The schema states the defaults and does not set them: the service knows the preset and the organization. */
export const newSettings = z.object({
  maxParticipants: maxParticipants
    .optional()
    .meta({ default: DEFAULT_SETTINGS.maxParticipants, description: `${MAX_PARTICIPANTS} Default: 1,000.` }),
  emptyTimeout: emptyTimeout.optional().meta({ default: DEFAULT_SETTINGS.emptyTimeout, description: `${EMPTY_TIMEOUT} Default: 300.` }),
  autoRecord: z
    .boolean()
    .optional()
    .meta({ default: false, description: 'Whether a recording starts with the first published track. Default: `false`.' }),
  budget: roomBudget.optional().describe('The most credits that the class may use. Default: no limit.'),
  attendance: attendanceChanges
    .nullish()
    .describe(
      `${ATTENDANCE} Omitted fields are those of the organization, if it has set a policy. Null: attendance is not evaluated. Default: the policy of the organization; without one, none, or the built-in one if there is a \`roster\`.`,
    ),
  waitingRoom: waitingRoom.optional().meta({ default: 'OFF', description: `${WAITING_ROOM} Default: \`OFF\`.` }),
  duplicateJoin: duplicateJoin.optional().meta({ default: 'replace', description: `${DUPLICATE_JOIN} Default: \`replace\`.` }),
  muteOnJoin: z
    .boolean()
    .optional()
    .meta({ default: false, description: `${MUTE_ON_JOIN} Default: \`false\`.` }),
  chat: newChatSettings.optional().describe(CHAT),
  permissions: rolePermissions.optional().describe(`${PERMISSIONS_OF_ROLES} Default: as the roles.`),
  consent: consentChanges
    .optional()
    .describe('Consent to recordings, and AI. Omitted fields are those of the organization at the creation of the room.'),
  ...newSchedule,
});

/** Of a preset: what all its rooms have in common. */
export const presetSettings = z.object({
  maxParticipants: maxParticipants.optional().describe(MAX_PARTICIPANTS),
  emptyTimeout: emptyTimeout.optional().describe(EMPTY_TIMEOUT),
  autoRecord: z.boolean().optional().describe('Whether a recording starts with the first published track.'),
  budget: roomBudget.optional().describe('The most credits that a class may use.'),
  attendance: attendanceChanges.nullish().describe(`${ATTENDANCE} Null: attendance is not evaluated.`),
  waitingRoom: waitingRoom.optional().describe(WAITING_ROOM),
  duplicateJoin: duplicateJoin.optional().describe(DUPLICATE_JOIN),
  muteOnJoin: z.boolean().optional().describe(MUTE_ON_JOIN),
  chat: changedChatSettings.optional().describe(CHAT),
  permissions: rolePermissions.optional().describe(PERMISSIONS_OF_ROLES),
  consent: consentChanges.optional().describe('Consent to recordings, and AI.'),
  joinBefore: newSchedule.joinBefore,
  maxDuration: newSchedule.maxDuration,
});

const changed = {
  maxParticipants: maxParticipants.optional().describe(MAX_PARTICIPANTS),
  emptyTimeout: emptyTimeout.optional().describe(EMPTY_TIMEOUT),
  chat: changedChatSettings.optional().describe(`${CHAT} Applies at once.`),
  waitingRoom: waitingRoom
    .optional()
    .describe(
      `${WAITING_ROOM} Who is in the class stays. Tokens from before this change do not connect without admission for longer than a moment.`,
    ),
};

/** What a participant in class can change. */
export const settingsInClass = z.object({ ...changed, permissions: changedStudentPermissions });

/** What the organization's backend can change. An omitted field stays as it is. */
export const settingsChanges = z.object({
  ...changed,
  autoRecord: z
    .boolean()
    .optional()
    .describe(
      'Whether a recording starts with the first published track, or at once if the class has one. A recording that runs continues.',
    ),
  duplicateJoin: duplicateJoin
    .optional()
    .describe(`${DUPLICATE_JOIN} Tokens from before a change to \`refuse\` still connect to LiveKit by themselves.`),
  muteOnJoin: z.boolean().optional().describe(`${MUTE_ON_JOIN} Applies to later joins.`),
  permissions: changedRolePermissions
    .optional()
    .describe(`${PERMISSIONS_OF_ROLES} What is omitted stays as it is. Applies at once, also to who is in class.`),
  consent: consentChanges.optional().describe('Consent to recordings, and AI. Omitted fields stay as they are. Applies at once.'),
  budget: budgetChanges
    .nullish()
    .describe(
      'The most credits that the class may use. Omitted fields stay as they are. Null: no limit. Applies with the next charge, within a minute.',
    ),
  attendance: attendanceChanges.nullish().describe(`${ATTENDANCE} Omitted fields stay as they are. Null: attendance is not evaluated.`),
  ...changedSchedule,
});
/** What any of the requests gives; of a new room and a preset too. */
export type SettingsChanges = z.infer<typeof settingsChanges>;

/**
 * The settings with the changes: an omitted field stays as it is.
 * @throws AppError VALIDATION_FAILED if a new budget has no amount
 */
export function changedSettings(present: RoomSettings, changes: SettingsChanges): RoomSettings {
  const { chat, permissions, consent, budget, attendance, startsAt, endsAt, ...others } = changes;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return {
    ...present,
    ...given,
    chat: { mode: chat?.mode ?? present.chat.mode, slowModeSeconds: chat?.slowModeSeconds ?? present.chat.slowModeSeconds },
    permissions: changedPermissions(present.permissions, permissions),
    consent: changedConsent(consent, present.consent),
    budget: changedBudget(present.budget, budget),
    attendance: changedAttendance(attendance, present.attendance),
    startsAt: startsAt === undefined ? present.startsAt : utc(startsAt),
    endsAt: endsAt === undefined ? present.endsAt : utc(endsAt),
  };
}

const utc = (time: string | null) => time && new Date(time).toISOString();
