import type { AppState } from '../app/app-store.js';
import type { Toasts } from '../app/toasts.js';
import { hasChat } from '../chat/chat.js';
import type { ClassStore } from '../class/class-store.js';
import type { ClassSnapshot } from '../class/snapshot.js';
import { type Device, grantedDevices } from '../media/devices.js';
import { createStoredStore, type Store } from '../store.js';

/** `speak`: this student was allowed to speak. A device: the host page asks to turn it on. `admitted`: from the waiting room. */
export type AlertKind = 'hand' | 'waiting' | 'chat' | 'speak' | 'admitted' | Device;

export interface Alert {
  kind: AlertKind;
  /** Who raised the hand, came, wrote or asks; empty where the participant is meant. */
  name: string;
}

export type Moment = Pick<AppState, 'screen' | 'session' | 'hostRequest'> &
  Pick<ClassSnapshot, 'isLoaded' | 'hands' | 'waiting' | 'messages' | 'speakers'>;

/** What concerns this participant and is new. Without what was written: a notification may be read on a locked screen. */
export function alertsBetween(before: Moment, now: Moment): Alert[] {
  const { session } = now;
  if (!session) return [];
  const alerts: Alert[] = [];
  if (before.screen === 'waiting' && now.screen === 'class') alerts.push({ kind: 'admitted', name: '' });
  if (now.hostRequest && now.hostRequest !== before.hostRequest) alerts.push({ kind: now.hostRequest.device, name: now.hostRequest.host });
  // Everything in the first answer is from before the participant came.
  if (!before.isLoaded) return alerts;

  const { uid: self } = session.participant;
  const grantOf = ({ speakers }: Moment) => speakers.find(({ uid }) => uid === self)?.allowedAt;
  const isGranted = grantOf(now) !== undefined && grantOf(now) !== grantOf(before);
  if (isGranted && !grantedDevices(session.permissions).includes('microphone')) alerts.push({ kind: 'speak', name: '' });
  const add = (kind: AlertKind, was: readonly { uid: string }[], is: readonly { uid: string; name: string }[]) => {
    const known = new Set(was.map(({ uid }) => uid));
    for (const { uid, name } of is) if (uid !== self && !known.has(uid)) alerts.push({ kind, name });
  };
  if (session.permissions.manageParticipants) {
    add('hand', before.hands, now.hands);
    add('waiting', before.waiting, now.waiting);
  }
  if (now.messages !== before.messages && hasChat(session)) {
    // Older messages are loaded when the chat is scrolled.
    const latest = before.messages.at(-1)?.version ?? 0;
    for (const { uid, name, version, deletedAt } of now.messages)
      if (version > latest && uid !== self && !deletedAt) alerts.push({ kind: 'chat', name });
  }
  return alerts;
}

interface Parts {
  app: Store<AppState>;
  classStore: Pick<ClassStore, 'getSnapshot' | 'subscribe'>;
  toasts: Pick<Toasts, 'announceNames'>;
}

/**
 * Announces what arrives in the panels: raised hands to those who manage others, and messages while the chat is closed. The open chat is a log, which
 * screen readers follow.
 */
export function announceAlerts({ app, classStore, toasts }: Parts): void {
  const moment = () => ({ ...app.get(), ...classStore.getSnapshot() });
  let before = moment();
  classStore.subscribe(() => {
    const [was, now] = [before, (before = moment())];
    const alerts = alertsBetween(was, now);
    const announce = (kind: AlertKind & ('hand' | 'chat')) =>
      toasts.announceNames(
        kind,
        alerts.filter((alert) => alert.kind === kind).map(({ name }) => name),
      );
    announce('hand');
    if (now.tab !== 'chat') announce('chat');
  });
}

/**
 * Whether this participant is notified while the page is hidden, and hears a sound where the browser shows no notification. `hasHandSound`: whether
 * a raised hand is heard in class, for who manages others.
 */
export const notificationSetting = createStoredStore('classroom.notifications', { isOn: false, hasSound: true, hasHandSound: false });
