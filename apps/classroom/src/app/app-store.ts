import type { Device, Hindrance } from '../media/devices.js';
import type { ClassroomSession } from '../session/session.js';
import type { Ending, Reason, State } from './states.js';
import { Store } from '../store/store.js';

/** A sentence of i18n's, said when it is shown: the language may be there later than the event. */
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
  /** Of an ended class. */
  ending: Ending | undefined;
  requestId: string | null | undefined;
  session: ClassroomSession | undefined;
  /** What goes on while the room's frame is still empty. */
  line: Words | undefined;
  /** For a few seconds, over the control bar. */
  notice: Words | undefined;
  /** For those who don't see. The same words again have another number, and are said again. */
  said: (Words & { nth: number }) | undefined;
  /** Since when the connection is lost, by this device's clock. */
  awaySince: number | undefined;
  /** By the server's clock. */
  startedAt: number | undefined;
  isSoundBlocked: boolean;
  devices: Record<Device, DeviceStatus>;
  isSharing: boolean;
  /** Who lets this student speak, until the offer is taken or put aside. */
  offeredBy: string | undefined;
  layout: Layout;
  tab: Tab | undefined;
  /** Key of a tile. */
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
