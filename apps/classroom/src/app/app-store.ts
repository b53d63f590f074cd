import type { Device, Hindrance } from '../media/devices.js';
import type { ClassroomSession } from '../session/session.js';
import type { Ending, Reason, State } from './states.js';
import { Store } from '../store/store.js';

/** A text of i18n, by its key. It is translated when it is shown, because the language may load later than the event happens. */
export interface Words {
  key: string;
  values?: Record<string, unknown>;
}

export interface DeviceStatus {
  isOn: boolean;
  hindrance: Hindrance | undefined;
}

export type Layout = 'grid' | 'speaker';
export type Tab = 'people' | 'chat' | 'polls' | 'tutor';

export interface AppState {
  state: State;
  screen: 'class' | 'lobby' | 'outcome';
  reason: Reason | undefined;
  /** Why the class ended, if it ended. */
  ending: Ending | undefined;
  requestId: string | null | undefined;
  session: ClassroomSession | undefined;
  /** Shown in place of the stage while connecting. */
  line: Words | undefined;
  /** Shown above the control bar for a few seconds. */
  notice: Words | undefined;
  /** Announced to screen readers. If the same text is announced again, it has a new number, so that it is read out again. */
  said: (Words & { nth: number }) | undefined;
  /** When the connection was lost, in milliseconds by this device's clock. */
  awaySince: number | undefined;
  /** When the class started, in milliseconds by the server's clock. */
  startedAt: number | undefined;
  isSoundBlocked: boolean;
  devices: Record<Device, DeviceStatus>;
  isSharing: boolean;
  /** The uid of the person who allowed this student to speak, until the student accepts or dismisses the offer. */
  offeredBy: string | undefined;
  layout: Layout;
  tab: Tab | undefined;
  /** The key of the pinned tile. */
  pinned: string | undefined;
}

const OFF: DeviceStatus = { isOn: false, hindrance: undefined };

export const createAppStore = () =>
  new Store<AppState>({
    state: 'idle',
    screen: 'class',
    reason: undefined,
    ending: undefined,
    requestId: undefined,
    session: undefined,
    line: undefined,
    notice: undefined,
    said: undefined,
    awaySince: undefined,
    startedAt: undefined,
    isSoundBlocked: false,
    devices: { camera: OFF, microphone: OFF },
    isSharing: false,
    offeredBy: undefined,
    layout: 'grid',
    tab: undefined,
    pinned: undefined,
  });
