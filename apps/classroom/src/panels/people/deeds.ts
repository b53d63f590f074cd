import type { Permissions } from '@classroom/contracts';
import type { Person } from '../../media/person.js';

export type Deed = 'mute' | 'stopCamera' | 'stopShare' | 'allowToSpeak' | 'takeBack' | 'remove';

/** The actions that the page offers for a person; the server checks every request itself. */
export function deedsFor(person: Person, permissions: Permissions, maySpeak: boolean): Deed[] {
  if (!permissions.manageParticipants || person.isLocal) return [];
  const deeds: (Deed | false)[] = [
    person.microphone === 'on' && 'mute',
    person.camera !== undefined && 'stopCamera',
    person.screen !== undefined && 'stopShare',
    person.role === 'STUDENT' && (maySpeak ? 'takeBack' : 'allowToSpeak'),
    'remove',
  ];
  return deeds.filter((deed) => deed !== false);
}
