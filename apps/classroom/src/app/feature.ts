import { createContext, useContext, type ComponentType, type ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';
import type { Person } from '../media/people.js';
import type { ClassroomSession } from '../session/session.js';
import type { Dialog, Screen, Tab } from './app-store.js';
import type { PartClass } from './classroom-controller.js';

/** A number at a control: what waits behind it. */
export interface Badge {
  content: ReactNode;
  /** For screen readers. */
  text: string;
}

/** @returns undefined if nothing waits */
export const badgeOf = (count: number, text: string, icon?: ReactNode): Badge | undefined =>
  count === 0 ? undefined : { content: [icon, count > 99 ? '99+' : count], text };

/** A button of the control bar. */
export interface Action {
  id: string;
  icon: LucideIcon;
  label: string;
  /** The label of its other state. The control is as wide as the wider of the two, so that no control moves. */
  otherLabel?: string;
  /** The letter key that presses it. */
  shortcut?: string;
  /** For actions that can be on or off. Their label says what a press does, unless the action opens a panel. */
  isOn?: boolean;
  isPanel?: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  badge?: Badge | undefined;
  /** Shown next to it, such as the choice of devices. */
  extra?: ReactNode;
  /** Takes the place of its button, and of its item behind "More". */
  Control?: ComponentType;
  Items?: ComponentType;
  /** Where the bar is too narrow, the actions with the lowest numbers move behind "More" first. Without a number, an action stays. */
  rank?: number | undefined;
  /** Whether it stays whatever its id. */
  stays?: boolean;
  onPress(): void;
}

/** A tab of the side panel, with the control that opens it. Its texts are `panels:tab.<name>` and `controls.<name>`. */
export interface PanelTab {
  name: Tab;
  icon: LucideIcon;
  shortcut?: string;
  isShown(session: ClassroomSession): boolean;
  /** A hook: the number at the tab. */
  useCount(): number;
  /** Whether the number counts what is new. */
  isNews: boolean;
  /** A hook: the number at the control. */
  useBadge?(): Badge | undefined;
  load(): Promise<ComponentType>;
  /** Whether it is loaded some seconds after the entry, before it is opened. */
  isPreloaded?: boolean;
}

/** What a class offers, in a folder of its own. `features.ts` lists all of them; the controller and the frame of the class know none by name. */
export interface Feature {
  /** Its state, its calls to the service, and what it does when something happens. There is one in each stay; `usePart` finds it. */
  Part?: PartClass;
  /** What takes the place of the class. */
  screens?: Partial<Record<Screen, () => Promise<ComponentType>>>;
  dialogs?: Partial<Record<Dialog, () => Promise<ComponentType>>>;
  /** Shown on every screen. */
  Everywhere?: ComponentType;
  InHeader?: ComponentType;
  /** At the top of the stage, and over it. */
  Notice?: ComponentType;
  OverStage?: ComponentType;
  tab?: PanelTab;
  /** A hook: the buttons that it adds to the control bar. */
  useActions?(): readonly Action[];
  /** What it adds behind "More". */
  MoreItems?: ComponentType;
  /** A hook: what takes the main place of the stage, if anything does. The tiles are then a strip. */
  useMain?(): ReactNode;
  /** Over the tile of a shared screen. */
  OverScreen?: ComponentType<{ person: Person }>;
  /** What it adds to the menu of another person. `prefix`: before the names of actions. */
  PersonItems?: ComponentType<{ person: Person; prefix: string }>;
}

export const FeaturesContext = createContext<readonly Feature[]>([]);

/** In the order of `features.ts`, which never changes: their hooks may be called in a loop. */
export const useFeatures = (): readonly Feature[] => useContext(FeaturesContext);
