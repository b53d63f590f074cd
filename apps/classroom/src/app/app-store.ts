import type { Device, DeviceError } from '../media/devices.js';
import type { ClassroomSession } from '../session/session.js';
import type { EndReason, OutcomeReason, State } from './outcomes.js';
import { Store } from '../store.js';

/** A text of i18n, by its key. It is translated when it is shown, because the language may load later than the event happens. */
export interface I18nText {
  key: string;
  values?: Record<string, unknown>;
}

export interface DeviceStatus {
  isOn: boolean;
  deviceError: DeviceError | undefined;
}

/** What a class asks for consent to. */
export type ConsentQuestion = Pick<NonNullable<ClassroomSession['consent']>, 'version' | 'text' | 'ask' | 'without' | 'state'>;

/** A class whose room opens later, how its page looks, and who is going to enter with which devices. */
export interface Opens {
  title: string;
  startsAt: number;
  opensAt: number;
  roomDescription: string | undefined;
  theme: string | undefined;
  logoUrl: string | undefined;
  /** The school's. */
  accent: string | undefined;
  name: string;
  devices: readonly Device[];
}

export type Layout = 'grid' | 'speaker';
export type Tab = 'people' | 'chat' | 'polls' | 'tutor';

export interface AppState {
  state: State;
  screen: 'class' | 'lobby' | 'consent' | 'opening' | 'waiting' | 'outcome';
  reason: OutcomeReason | undefined;
  /** Why the class ended, if it ended. */
  endReason: EndReason | undefined;
  /** The end that this participant asked for: how long the class lasted, in milliseconds, and how many people were there. */
  ownEnd: { lastedMs: number; people: number } | undefined;
  /** Whether a recording ran while this page was in class. */
  wasRecorded: boolean;
  requestId: string | null | undefined;
  session: ClassroomSession | undefined;
  /** The question for consent that is open: on the screen `consent` before the class, otherwise over the class. */
  consent: ConsentQuestion | undefined;
  /** The class whose room opens later, on the screen `opening`. Times are in milliseconds by the server's clock. */
  opening: Opens | undefined;
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
  devices: Record<Device, DeviceStatus>;
  isSharing: boolean;
  /** The dialog that is open: sound and picture, or notifications. */
  dialog: 'setup' | 'notifications' | undefined;
  /** The uid of the person who allowed this student to speak, until the student accepts or dismisses the offer. */
  offeredBy: string | undefined;
  /** What the host page asked to turn on, until the participant accepts or dismisses it. */
  hostRequest: { device: Device; host: string } | undefined;
  layout: Layout;
  tab: Tab | undefined;
  /** The key of the pinned tile. */
  pinned: string | undefined;
}

const OFF: DeviceStatus = { isOn: false, deviceError: undefined };

export const createAppStore = () =>
  new Store<AppState>({
    state: 'idle',
    screen: 'class',
    reason: undefined,
    endReason: undefined,
    ownEnd: undefined,
    wasRecorded: false,
    requestId: undefined,
    session: undefined,
    consent: undefined,
    opening: undefined,
    connectingText: undefined,
    toast: undefined,
    announcement: undefined,
    reconnectingSince: undefined,
    startedAt: undefined,
    isAudioBlocked: false,
    devices: { camera: OFF, microphone: OFF },
    isSharing: false,
    dialog: undefined,
    offeredBy: undefined,
    hostRequest: undefined,
    layout: 'grid',
    tab: undefined,
    pinned: undefined,
  });
