import type { Permissions } from '@classroom/contracts';
import { DEVICES } from '../media/devices.js';
import type { ClassroomSession } from '../session/session.js';
import type { Tab } from './app-store.js';

/** The devices that a participant may use without a teacher's permission. */
export const grantedDevices = ({ publishAudio, publishVideo }: Partial<Pick<Permissions, 'publishAudio' | 'publishVideo'>>) =>
  DEVICES.filter((device) => (device === 'camera' ? publishVideo : publishAudio));

/** Whether the page has this tab for the participant. */
export const hasTab = ({ permissions, ui = {} }: ClassroomSession, tab: Tab): boolean =>
  !{ people: ui.hideParticipants, chat: ui.hideChat, polls: ui.hidePolls, tutor: !permissions.ai }[tab];

/** Whether the class state has more for the participant than for others: private messages and reports, or the votes of a poll that hides its result. */
export const seesMore = (permissions: Partial<Permissions> | undefined): boolean =>
  !!permissions?.manageParticipants || !!permissions?.managePolls;
