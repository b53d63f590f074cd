import { createContext, useContext } from 'react';
import type { Permissions } from '@classroom/contracts';
import type { ClassroomApi } from '../../class/api.js';
import type { ClassStore } from '../../class/class-store.js';
import type { Person } from '../../media/person.js';

/** What every part of the panel works with. */
export interface PanelTools {
  store: ClassStore;
  api: ClassroomApi;
  permissions: Permissions;
  self: Person;
  /** Server's clock, in milliseconds. */
  now(): number;
}

export const PanelContext = createContext<PanelTools | undefined>(undefined);

export function usePanel(): PanelTools {
  const tools = useContext(PanelContext);
  if (!tools) throw new Error('outside of a panel');
  return tools;
}
