import type { ClassroomController } from '../app/classroom-controller.js';
import { notificationSetting } from '../app/notification-setting.js';
import { pageVisibility } from '../class/page-visibility.js';
import { i18next } from '../i18n/index.js';
import { playNotes } from '../media/notes.js';
import type { AlertKind } from '../app/alerts.js';
import { Notifier } from './notifier.js';
import { findObstacle } from './obstacle.js';

/** A fifth, in Hz. */
const SOUND = [659, 988];

let notifier: Notifier | undefined;

/** Notifies the participant from now on, as long as the setting is on. */
export function follow({ app, classStore, devices, hostEvents }: ClassroomController): void {
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
      if (count !== reported) hostEvents.bridge.emit('notification_count_changed', { count });
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
