import { ROLE_PERMISSIONS, type Grants, type PermissionOverrides, type Role } from '@classroom/contracts';
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
