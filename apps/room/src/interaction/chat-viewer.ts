import type { Grants } from '@classroom/contracts';
import type { ChatViewer } from './chat.repository.js';

/** Those who manage participants see private messages and reports. */
export const toViewer = ({ uid, permissions }: { uid: string; permissions: Grants }): ChatViewer => ({
  uid,
  seesAll: permissions.manageParticipants,
});
