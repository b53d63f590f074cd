import { createContext, useContext } from 'react';
import type { Permissions } from '@classroom/contracts';
import type { ClassroomApi } from '../../class/api.js';
import type { ClassStore } from '../../class/class-store.js';
import type { Person } from '../../media/person.js';

/** What all parts of the panel use. */
export interface PanelContextValue {
  store: ClassStore;
  api: ClassroomApi;
  permissions: Permissions;
  self: Person;
  /** How many people in class may be asked: the students. */
  voters: number;
  /** The server's clock, in milliseconds. */
  now(): number;
}

export const PanelContext = createContext<PanelContextValue | undefined>(undefined);

export function usePanel(): PanelContextValue {
  const value = useContext(PanelContext);
  if (!value) throw new Error('outside of a panel');
  return value;
}
