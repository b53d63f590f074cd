import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ClassSnapshot } from '../class/snapshot.js';
import type { PeopleState } from '../media/people.js';
import type { AppState } from './app-store.js';
import { useStore } from '../store/store.js';
import type { ClassroomController } from './classroom-controller.js';

export const ClassroomContext = createContext<ClassroomController | undefined>(undefined);

export function useClassroom(): ClassroomController {
  const classroom = useContext(ClassroomContext);
  if (!classroom) throw new Error('useClassroom needs a ClassroomContext');
  return classroom;
}

export const useApp = <S>(select: (state: AppState) => S): S => useStore(useClassroom().app, select);

export const usePeople = <S>(select: (state: PeopleState) => S): S => useStore(useClassroom().people, select);

export function useClass<S>(select: (snapshot: ClassSnapshot) => S): S {
  const { classStore } = useClassroom();
  return useSyncExternalStore(classStore.subscribe, () => select(classStore.getSnapshot()));
}
