import type { ClassStore } from '../class/class-store.js';
import type { AppState } from './app-store.js';
import type { Store } from '../store/store.js';

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
