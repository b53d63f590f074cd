import { ROLE_PERMISSIONS, type Role } from '@classroom/contracts';
import type { ChatViewer } from './chat.repository.js';

/** Those who manage participants see private messages and reports. */
export const toViewer = ({ uid, role }: { uid: string; role: Role }): ChatViewer => ({
  uid,
  seesAll: ROLE_PERMISSIONS[role].manageParticipants,
});
