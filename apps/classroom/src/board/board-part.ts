import type { ClassroomEvents } from '@virtual-classroom/embed';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Connection } from '../media/connection.js';
import { livekit } from '../media/livekit.js';
import { HostEvents } from '../embed/host-events.js';
import { retryOnline } from '../session/retry.js';
import { Store } from '../store.js';
import type { BoardView, ClassBoard } from './class-board.js';

interface State {
  /** Loaded once the participant is in class. */
  board: ClassBoard | undefined;
  view: BoardView | undefined;
}

/** The board's part of a stay. What it does is loaded after the entry, so that the first load is no larger. */
export class BoardPart extends Store<State> implements Part {
  private loading: AbortController | undefined;
  private reported: ClassroomEvents['board_changed'] = { isShown: false, page: 0, pages: 0 };

  constructor(private readonly classroom: ClassroomController) {
    super({ board: undefined, view: undefined });
  }

  onConnection({ room }: Connection): void {
    room.on(livekit.RoomEvent.DataReceived, (payload, _participant, _kind, topic, _encryption, sender) =>
      this.get().board?.receive({ payload, topic, sender }),
    );
  }

  onConnected(): void {
    const { board } = this.get();
    if (board) board.start();
    else if (!this.loading) void this.load((this.loading = new AbortController()));
  }

  onHeldBack(): void {
    this.stop();
  }

  onEnd(): void {
    this.stop();
  }

  private async load(loading: AbortController): Promise<void> {
    const { signal } = loading;
    const options = { signal, timeoutMs: Infinity, isFinal: () => false };
    const create = await retryOnline(async () => (await import('./create-board.js')).createBoard, options).catch(() => undefined);
    if (!create || signal.aborted) return;
    const board = create(this.classroom);
    board.subscribe(() => {
      this.set({ view: board.get() });
      this.report(board.get());
    });
    this.set({ board, view: board.get() });
    board.start();
  }

  /** Informs the host page. */
  private report({ isShown, pages, currentPageId }: BoardView): void {
    const changed = { isShown, page: pages.findIndex(({ pageId }) => pageId === currentPageId) + 1, pages: pages.length };
    const before = this.reported;
    if (changed.isShown === before.isShown && changed.page === before.page && changed.pages === before.pages) return;
    this.reported = changed;
    this.classroom.get(HostEvents).bridge.emit('board_changed', changed);
  }

  private stop(): void {
    this.loading?.abort();
    this.loading = undefined;
    this.get().board?.stop();
  }
}
