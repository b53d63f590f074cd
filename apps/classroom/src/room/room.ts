import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { ClassStore } from '../class/class-store.js';
import type { AppState } from '../app/app-store.js';
import { HostEvents } from '../embed/host-events.js';
import type { Toasts } from '../app/toasts.js';
import type { Store } from '../store.js';

/** Milliseconds before the end of the class at which notice is given. */
const NOTICES_MS = [600_000, 60_000];
/** The longest delay of a browser timer, in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** What the schedule and the backend change in a running class. */
export class RoomNews implements Part {
  constructor(classroom: ClassroomController) {
    const { app, classStore, sessions, toasts } = classroom;
    followRoom(app, classStore);
    followEnding({ app, classStore, toasts, hostEvents: classroom.get(HostEvents), now: () => sessions.now() });
  }
}

interface Parts {
  app: Store<AppState>;
  classStore: ClassStore;
  toasts: Toasts;
  hostEvents: HostEvents;
  /** The server's time, in milliseconds. */
  now(): number;
}

/** Gives notice, to everyone in class and to the host page, that the class ends by its schedule. */
export function followEnding({ app, classStore, toasts, hostEvents, now }: Parts): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = '';
  let given = Infinity;
  const update = () => {
    clearTimeout(timer);
    const left = Date.parse(end) - now();
    if (!(left > 0)) return;
    const due = NOTICES_MS.findLast((notice) => left <= notice);
    const { screen, session } = app.get();
    if (due !== undefined && due < given && screen === 'class' && session) {
      given = due;
      toasts.showToast({ key: 'toast.endingSoon', values: { count: Math.ceil(left / 60_000) } });
      hostEvents.bridge.emit('class_ending_soon', { endsAt: end, secondsLeft: Math.round(left / 1000) });
    }
    const next = NOTICES_MS.find((notice) => notice < left);
    if (next !== undefined) timer = setTimeout(update, Math.min(left - next, MAX_DELAY_MS));
  };
  classStore.subscribe(() => {
    const { classEndsAt } = classStore.getSnapshot().room ?? {};
    if (end === (classEndsAt ?? '')) return;
    end = classEndsAt ?? '';
    given = Infinity;
    update();
  });
}

/** Follows how the backend changes the look of the running class. */
export function followRoom(app: Store<AppState>, classStore: ClassStore): void {
  let known = classStore.getSnapshot().room;
  classStore.subscribe(() => {
    const { room } = classStore.getSnapshot();
    const { session } = app.get();
    if (room === known || !room?.customization || !session) return;
    known = room;
    app.set({ session: { ...session, room: { ...session.room, title: room.title, customization: room.customization } } });
  });
}
