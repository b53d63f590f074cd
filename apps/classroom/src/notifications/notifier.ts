import type { AppState } from '../app/app-store.js';
import { notificationSetting } from '../app/notification-setting.js';
import type { ClassStore } from '../class/class-store.js';
import type { pageVisibility } from '../class/page-visibility.js';
import type { Store } from '../store/store.js';
import { alertsBetween, type AlertKind, type Moment } from '../app/alerts.js';

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
