import type { ComponentType } from 'react';
import type { ClassroomSession } from '../session/session.js';
import type { EndReason, OutcomeReason, State } from './outcomes.js';
import { Store } from '../store.js';

/** A text of i18n, by its key. It is translated when it is shown, because the language may load later than the event happens. */
export interface I18nText {
  key: string;
  values?: Record<string, unknown>;
}

export type Layout = 'grid' | 'speaker';

/** What takes the place of the class. A feature adds its own by declaration merging, and so to `Dialogs`, `Tabs` and `AppState`. */
export interface Screens {
  class: true;
  outcome: true;
}
export interface Dialogs {}
export interface Tabs {}
export type Screen = keyof Screens;
export type Dialog = keyof Dialogs;
export type Tab = keyof Tabs;

/** The state of the stay and of what is open. A feature adds its slice. All of it is optional, because nothing sets it before the feature does. */

export interface AppState {
  state: State;
  screen: Screen;
  reason: OutcomeReason | undefined;
  /** Why the class ended, if it ended. */
  endReason: EndReason | undefined;
  /** The end that this participant asked for: how long the class lasted, in milliseconds, and how many people were there. */
  ownEnd: { lastedMs: number; people: number } | undefined;
  requestId: string | null | undefined;
  session: ClassroomSession | undefined;
  /** Shown in place of the stage while connecting. */
  connectingText: I18nText | undefined;
  /** Shown above the control bar for a few seconds. */
  toast: I18nText | undefined;
  /** Announced to screen readers. If the same text is announced again, it has a new number, so that it is read out again. */
  announcement: (I18nText & { sequence: number }) | undefined;
  /** When the connection was lost, in milliseconds by this device's clock. */
  reconnectingSince: number | undefined;
  /** When the class started, in milliseconds by the server's clock. */
  startedAt: number | undefined;
  isAudioBlocked: boolean;
  dialog: Dialog | undefined;
  /** A dialog that was loaded before it opened, over the class. */
  opened: ComponentType<{ onClose(): void }> | undefined;
  layout: Layout;
  tab: Tab | undefined;
  /** The key of the pinned tile. */
  pinned: string | undefined;
}

export const createAppStore = () =>
  new Store<AppState>({
    state: 'idle',
    screen: 'class',
    reason: undefined,
    endReason: undefined,
    ownEnd: undefined,
    requestId: undefined,
    session: undefined,
    connectingText: undefined,
    toast: undefined,
    announcement: undefined,
    reconnectingSince: undefined,
    startedAt: undefined,
    isAudioBlocked: false,
    dialog: undefined,
    opened: undefined,
    layout: 'grid',
    tab: undefined,
    pinned: undefined,
  });
