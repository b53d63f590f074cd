import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ClassSnapshot } from '../class/snapshot.js';
import type { PeopleState } from '../media/people.js';
import type { AppState } from './app-store.js';
import { useStore } from '../store.js';
import type { ClassroomController, Part, PartClass } from './classroom-controller.js';
import type { Permissions } from '@classroom/contracts';
import { grantedDevices } from '../media/devices.js';

export const ClassroomContext = createContext<ClassroomController | undefined>(undefined);

export function useClassroom(): ClassroomController {
  const classroom = useContext(ClassroomContext);
  if (!classroom) throw new Error('useClassroom needs a ClassroomContext');
  return classroom;
}

/** The part of a feature in this stay. */
export const usePart = <P extends object & Part>(part: PartClass<P>): P => useClassroom().get(part);

export const useApp = <S>(select: (state: AppState) => S): S => useStore(useClassroom().app, select);

export const usePeople = <S>(select: (state: PeopleState) => S): S => useStore(useClassroom().people, select);

export function useClass<S>(select: (snapshot: ClassSnapshot) => S): S {
  const { classStore } = useClassroom();
  return useSyncExternalStore(classStore.subscribe, () => select(classStore.getSnapshot()));
}

/** The participant's permissions; all are missing before there is a session. */
export interface EffectivePermissions extends Partial<Permissions> {
  /** Granted by role, or because this student was allowed to speak. */
  microphone: boolean;
  camera: boolean;
}

/** Decides which controls the page offers; the server checks every request itself. */
export function usePermissions(): EffectivePermissions {
  const session = useApp((app) => app.session);
  const uid = session?.participant.uid;
  const isSpeaker = useClass(({ speakers }) => speakers.some((speaker) => speaker.uid === uid));
  const granted = grantedDevices(session?.permissions ?? {});
  const isMuted = session?.consent?.isMuted ?? false;
  return {
    ...session?.permissions,
    microphone: granted.includes('microphone') || (isSpeaker && !isMuted),
    camera: granted.includes('camera'),
  };
}
