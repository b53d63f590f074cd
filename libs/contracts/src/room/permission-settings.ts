import { z } from 'zod';
import { role as roleSchema, type Role } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';

/** Everything that a role allows or not, and that a room, a preset or a participant can override. */
export const PERMISSIONS = {
  publishAudio: 'May use the microphone.',
  publishVideo: 'May use the camera.',
  shareScreen: 'May share the screen.',
  chat: 'May write in the chat, as far as its settings allow.',
  raiseHand: 'May raise the hand.',
  react: 'May send reactions.',
  answerPolls: 'May vote in polls.',
  managePolls: 'May open and close polls.',
  draw: 'May draw on the board.',
  manageBoard: 'May show the board, add, clear and delete its pages, change what others have drawn, and let others draw.',
  manageParticipants:
    'May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do.',
  startRecording: 'May start a recording.',
  stopRecording: 'May stop a recording.',
  endClass: 'May end the class for everyone.',
  changeRoom: 'May change title, description and limits.',
} as const;
export type Permission = keyof typeof PERMISSIONS;
export type Grants = Record<Permission, boolean>;
/** What differs from the next more general declaration. */
export type PermissionOverrides = Partial<Grants>;
export type RolePermissions = Partial<Record<Role, PermissionOverrides>>;

const each = <Field extends z.ZodType>(toField: (meaning: string) => Field) =>
  Object.fromEntries(Object.entries(PERMISSIONS).map(([name, meaning]) => [name, toField(meaning)])) as Record<Permission, Field>;

const overrides = z.object(each((meaning) => z.boolean().optional().describe(meaning)));
const changedOverrides = z.object(each((meaning) => z.boolean().nullish().describe(`${meaning} Null: as the role allows.`)));

const byRole = <Overrides extends z.ZodType>(of: Overrides) =>
  z.object({
    TEACHER: of.optional().describe('Of teachers.'),
    STUDENT: of.optional().describe('Of students.'),
    MODERATOR: of.optional().describe('Of moderators.'),
    ADMIN: of.optional().describe('Of admins.'),
  });

/** Of one participant: they come before those of the room. */
export const participantPermissions = overrides;

export const PERMISSIONS_OF_ROLES =
  'What each role may do, where that differs from the role. The `permissions` of a participant come before it.';

export const rolePermissions = byRole(overrides);

export const changedRolePermissions = byRole(changedOverrides);

/** What who manages participants decides about all students; what a participant's own permissions say comes before it. */
export const changedStudentPermissions = z
  .object({
    STUDENT: changedOverrides
      .pick({ publishAudio: true, publishVideo: true, raiseHand: true, react: true, draw: true })
      .optional()
      .describe('Of students.'),
  })
  .optional()
  .describe('What students may do in this class. What is omitted stays as it is. Applies at once, also to who is in class.');
export type ChangedRolePermissions = z.infer<typeof changedRolePermissions>;

export const shownRolePermissions = byRole(overrides).register(NAMES, {
  id: 'RolePermissions',
  description: PERMISSIONS_OF_ROLES,
});

/** The overrides with the changes: a null removes an override. Roles and permissions that the changes do not name stay as they are. */
export function changedPermissions(present: RolePermissions, changes: ChangedRolePermissions | undefined): RolePermissions {
  if (!changes) return present;
  const changed = roleSchema.options.flatMap((role) => {
    const kept = (Object.keys(PERMISSIONS) as Permission[]).flatMap((permission) => {
      const change = changes[role]?.[permission];
      const isAllowed = change === undefined ? present[role]?.[permission] : change;
      return typeof isAllowed === 'boolean' ? [[permission, isAllowed] as const] : [];
    });
    return kept.length > 0 ? [[role, Object.fromEntries(kept)] as const] : [];
  });
  return Object.fromEntries(changed);
}
