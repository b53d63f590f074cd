import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ClassSnapshot } from '../class/snapshot.js';
import type { PeopleState } from '../media/people.js';
import type { AppState } from './app-store.js';
import { useStore } from '../store/store.js';
import type { Visit } from './visit.js';

export const VisitContext = createContext<Visit | undefined>(undefined);

export function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (!visit) throw new Error('outside of a visit');
  return visit;
}

export const useApp = <S>(select: (state: AppState) => S): S => useStore(useVisit().app, select);

export const usePeople = <S>(select: (state: PeopleState) => S): S => useStore(useVisit().people, select);

export function useClass<S>(select: (snapshot: ClassSnapshot) => S): S {
  const { classStore } = useVisit();
  return useSyncExternalStore(classStore.subscribe, () => select(classStore.getSnapshot()));
}
