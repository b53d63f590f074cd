import { outranks } from '@classroom/page/outranks';
import type { Permissions } from '@classroom/contracts';
import type { ClassroomApi } from '../session/session.js';
import type { Person } from '../media/people.js';

export type ParticipantAction =
  | 'mute'
  | 'stopCamera'
  | 'stopShare'
  | 'lowerHand'
  | 'allowToSpeak'
  | 'takeBack'
  | 'makeModerator'
  | 'makeStudent'
  | 'remove';

interface Standing {
  /** Of the participant who acts. */
  permissions: Pick<Partial<Permissions>, 'manageParticipants'>;
  ownRole: string;
  maySpeak: boolean;
  isHandRaised?: boolean;
}

/** The actions that the page offers for a person; the server checks every request itself. */
export function actionsFor(person: Person, { permissions, ownRole, maySpeak, isHandRaised }: Standing): ParticipantAction[] {
  if (!permissions.manageParticipants || person.isLocal || outranks(person.role, ownRole)) return [];
  const actions: (ParticipantAction | false | undefined)[] = [
    person.microphone === 'on' && 'mute',
    person.camera !== undefined && 'stopCamera',
    person.screen !== undefined && 'stopShare',
    isHandRaised && 'lowerHand',
    person.role === 'STUDENT' && (maySpeak ? 'takeBack' : 'allowToSpeak'),
    person.role === 'STUDENT' && !outranks('MODERATOR', ownRole) && 'makeModerator',
    person.role === 'MODERATOR' && 'makeStudent',
    'remove',
  ];
  return actions.filter((action) => action !== false && action !== undefined);
}

/** The request of each action. */
export const callsFor = (api: ClassroomApi, uid: string): Record<ParticipantAction, () => Promise<unknown>> => ({
  mute: () => api.muteParticipantInClass({ uid, source: 'microphone' }),
  stopCamera: () => api.muteParticipantInClass({ uid, source: 'camera' }),
  stopShare: () => api.muteParticipantInClass({ uid, source: 'screen' }),
  lowerHand: () => api.lowerHand({ uid }),
  allowToSpeak: () => api.allowToSpeak({ uid, allowed: true }),
  takeBack: () => api.allowToSpeak({ uid, allowed: false }),
  makeModerator: () => api.changeRoleInClass({ uid, role: 'MODERATOR' }),
  makeStudent: () => api.changeRoleInClass({ uid, role: 'STUDENT' }),
  remove: () => api.removeParticipantInClass({ uid }),
});
