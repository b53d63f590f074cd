import { ROLE_PERMISSIONS, type Grants, type PermissionOverrides, type Role, type RolePermissions } from '@classroom/contracts';

/** The column of a room that decides what the roles may do in it. */
export interface PermissionRoom {
  rolePermissions: RolePermissions | null;
}

/** What the latest token of a participant says. Processes of the last release write `mayChat` alone. */
export interface OwnPermissions {
  role: Role;
  permissions: PermissionOverrides | null;
  mayChat: boolean;
}

/** What a participant may do: what is said of the participant comes before what is said of the role in this room, and that before the role. */
export const permissionsOf = ({ rolePermissions }: PermissionRoom, { role, permissions, mayChat }: OwnPermissions): Grants => ({
  ...ROLE_PERMISSIONS[role],
  ...rolePermissions?.[role],
  ...(mayChat ? {} : { chat: false }),
  ...permissions,
});
