import type { AppState } from '../app/app-store.js';
import { OwnDevices } from '../devices/own-devices.js';
import { HostEvents } from '../embed/host-events.js';
import { alertsBetween, notificationSetting, type AlertKind, type Moment } from './alerts.js';
import type { ClassStore } from '../class/class-store.js';
import { pageVisibility } from '../class/poller.js';
import type { Store } from '../store.js';
import type { ClassroomController } from '../app/classroom-controller.js';
import { i18next } from '../i18n/index.js';
import { playNotes } from '../media/notes.js';

interface Shown {
  close(): void;
}

export interface NotifierParts {
  app: Store<AppState>;
  classStore: Pick<ClassStore, 'getSnapshot' | 'subscribe'>;
  visibility: typeof pageVisibility;
  /** Shows a notification in place of an earlier one of this kind. @returns undefined if the browser does not */
  show(kind: AlertKind, values: { name: string; count: number }): Shown | undefined;
  playSound(): void;
  /** Shows how many alerts there have been since the page was hidden. */
  showCount(count: number): void;
}

/** Notifies the participant while the page is hidden, and takes everything back when it is visible again. */
export class Notifier {
  private readonly counts = new Map<AlertKind, number>();
  private readonly shown = new Map<AlertKind, Shown>();
  private before: Moment;

  constructor(private readonly parts: NotifierParts) {
    const { app, classStore, visibility } = parts;
    this.before = this.moment();
    app.subscribe(this.follow);
    classStore.subscribe(this.follow);
    visibility.onVisibility(() => this.clearUnless(!visibility.isVisible()));
    notificationSetting.subscribe(() => this.clearUnless(notificationSetting.get().isOn));
  }

  clear(): void {
    for (const one of this.shown.values()) one.close();
    this.shown.clear();
    if (this.counts.size === 0) return;
    this.counts.clear();
    this.parts.showCount(0);
  }

  private clearUnless(isStillDue: boolean): void {
    if (!isStillDue) this.clear();
  }

  private readonly follow = (): void => {
    const { visibility } = this.parts;
    const { before } = this;
    const now = (this.before = this.moment());
    if (now.screen === 'outcome') return this.clear();
    const { isOn, hasSound } = notificationSetting.get();
    if (!isOn || visibility.isVisible()) return;
    const alerts = alertsBetween(before, now);
    const names = new Map<AlertKind, string>();
    for (const { kind, name } of alerts) {
      names.set(kind, name);
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    }
    let isShown = false;
    for (const [kind, name] of names) {
      const shown = this.parts.show(kind, { name, count: this.counts.get(kind) ?? 1 });
      if (!shown) continue;
      this.shown.set(kind, shown);
      isShown = true;
    }
    if (alerts.length > 0 && !isShown && hasSound) this.parts.playSound();
    // Also without an alert: a renewed session has set the title again.
    const count = [...this.counts.values()].reduce((sum, one) => sum + one, 0);
    if (count > 0) this.parts.showCount(count);
  };

  private moment(): Moment {
    return { ...this.parts.app.get(), ...this.parts.classStore.getSnapshot() };
  }
}

/** A fifth, in Hz. */
const SOUND = [659, 988];

let notifier: Notifier | undefined;

/** Notifies the participant from now on, as long as the setting is on. */
export function follow(classroom: ClassroomController): void {
  const { app, classStore } = classroom;
  const devices = classroom.get(OwnDevices);
  const { bridge } = classroom.get(HostEvents);
  if (notifier) return;
  const titleOf = () => app.get().session?.room.title ?? '';
  let reported = 0;
  notifier = new Notifier({
    app,
    classStore,
    visibility: pageVisibility,
    show: (kind, values) => show(`${app.get().session?.room.roomId} ${kind}`, titleOf(), kind, values),
    // A browser that refuses the sound has at least shown the number.
    playSound: () => void playNotes(SOUND, devices.chosenSpeakerId()).catch(() => undefined),
    showCount: (count) => {
      document.title = count > 0 ? `(${count}) ${titleOf()}` : titleOf();
      if (count !== reported) bridge.emit('notification_count_changed', { count });
      reported = count;
    },
  });
  window.addEventListener('pagehide', () => notifier?.clear());
}

function show(tag: string, title: string, kind: AlertKind, values: { name: string; count: number }): Notification | undefined {
  if (findObstacle()) return undefined;
  const body = i18next.t(`notifications:${kind}`, values);
  try {
    // `renotify`, which TypeScript does not know: without it, a browser replaces a notification silently.
    const options = { body, tag, lang: i18next.language, silent: !notificationSetting.get().hasSound, renotify: true };
    const shown = new Notification(title, options);
    shown.addEventListener('click', () => {
      window.focus();
      shown.close();
    });
    return shown;
  } catch {
    return undefined;
  }
}

/** Why the browser shows no notification of this page. */
export type Obstacle = 'framed' | 'blocked' | 'unanswered' | 'unsupported';

type Browser = Pick<Window, 'origin' | 'top'> & { Notification?: typeof Notification };

export function findObstacle(browser: Browser = window): Obstacle | undefined {
  const { Notification: api } = browser;
  if (!api) return 'unsupported';
  if (api.permission === 'granted') return undefined;
  if (!canConstruct(api)) return 'unsupported';
  // Chromium, Firefox and Safari refuse without asking in a frame of another site. No `allow` changes that.
  if (isFramedByOther(browser)) return 'framed';
  return api.permission === 'denied' ? 'blocked' : 'unanswered';
}

/** Chromium on Android has the constructor, but it throws: there, only service workers show notifications. Shows nothing, as it is not permitted. */
function canConstruct(api: typeof Notification): boolean {
  try {
    return new api('') instanceof api;
  } catch {
    return false;
  }
}

export function isFramedByOther({ top, origin }: Browser = window): boolean {
  try {
    return top?.origin !== origin;
  } catch {
    return true;
  }
}
