import type { Grants } from '@classroom/contracts';
import type { ChatViewer } from './chat.repository.js';

/** Who reads the state of a class. `managesPolls`: sees the votes of an open poll that hides its result. */
export interface ClassViewer extends ChatViewer {
  managesPolls: boolean;
}

/** What every participant of a class gets. */
export const EVERYONE: ClassViewer = { seesAll: false, uid: null, managesPolls: false };

/** Those who manage participants see private messages and reports. */
export const toViewer = ({ uid, permissions }: { uid: string; permissions: Grants }): ClassViewer => ({
  uid,
  seesAll: permissions.manageParticipants,
  managesPolls: permissions.managePolls,
});
