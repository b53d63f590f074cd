import type { Permissions } from '@classroom/contracts';
import type { Person } from '../../media/person.js';

export type ParticipantAction = 'mute' | 'stopCamera' | 'stopShare' | 'allowToSpeak' | 'takeBack' | 'remove';

/** The actions that the page offers for a person; the server checks every request itself. */
export function actionsFor(person: Person, permissions: Permissions, maySpeak: boolean): ParticipantAction[] {
  if (!permissions.manageParticipants || person.isLocal) return [];
  const actions: (ParticipantAction | false)[] = [
    person.microphone === 'on' && 'mute',
    person.camera !== undefined && 'stopCamera',
    person.screen !== undefined && 'stopShare',
    person.role === 'STUDENT' && (maySpeak ? 'takeBack' : 'allowToSpeak'),
    'remove',
  ];
  return actions.filter((action) => action !== false);
}
