import type { BoardElement, BoardPage } from '@classroom/contracts';
import { BoardState } from '../../board/board.js';
import type { Pointer } from '../../board/class-board.js';
import { PacketReader } from '../../board/packets.js';
import { Refresher } from '../../class/refresher.js';
import type { DataPacket } from '../../media/connection.js';
import { Listeners, Store } from '../../store.js';
import type { FilmService } from './film-service.js';

export interface FilmedPage {
  /** Whether the service has answered. */
  isKnown: boolean;
  /** What the class sees of the board; undefined while it sees none. */
  page: BoardPage | undefined;
  /** The page after it, which will probably be next. */
  next: BoardPage | undefined;
  /** What is drawn on the page by those who may be recorded. */
  elements: readonly BoardElement[];
}

/** Whether a participant may be recorded; undefined for who is not in class. */
export type ConsentOf = (uid: string) => boolean | undefined;

/** The board as a recording shows it. Pushes keep it current; what they lack is fetched, and all of it every half minute. */
export class FilmedBoard extends Store<FilmedPage> {
  readonly pointers = new Listeners<[pointer: Pointer]>();
  private readonly packets = new PacketReader();
  private readonly stored = new BoardState();
  private readonly refresher = new Refresher((signal) => this.fetch(signal));
  /** Of those who drew, for when they are not in class. */
  private recordable: ReadonlySet<string> = new Set();

  constructor(
    private readonly service: Pick<FilmService, 'board'>,
    private readonly consentOf: ConsentOf,
  ) {
    super({ isKnown: false, page: undefined, next: undefined, elements: [] });
  }

  /** After each connection to the class. */
  start(): void {
    if (this.refresher.isRunning) void this.refresher.refreshNow();
    else this.refresher.start();
  }

  stop(): void {
    this.refresher.stop();
  }

  receive(packet: DataPacket): void {
    const read = this.refresher.isRunning ? this.packets.read(packet) : undefined;
    if (!read) return;
    if ('pointer' in read) {
      if (this.isRecordable(read.pointer.uid)) this.pointers.notify(read.pointer);
      return;
    }
    const isComplete = this.stored.apply(read) && !(read.hasMore && read.version === this.stored.version);
    // Who drew without being in class is known to the service alone.
    if (!isComplete || read.elements.some(({ uid }) => !this.isKnown(uid))) this.refresher.refreshSoon();
    this.publish();
  }

  /** A participant has consented or withdrawn, or came. */
  onConsent(): void {
    this.publish();
  }

  /** A participant has left: what they answered last counts. */
  onLeave(uid: string, isRecordable: boolean): void {
    const others = [...this.recordable].filter((one) => one !== uid);
    this.recordable = new Set(isRecordable ? [...others, uid] : others);
    this.publish();
    void this.refresher.refreshNow();
  }

  private isKnown(uid: string): boolean {
    return this.consentOf(uid) !== undefined || this.recordable.has(uid);
  }

  private isRecordable(uid: string): boolean {
    return this.consentOf(uid) ?? this.recordable.has(uid);
  }

  private async fetch(signal: AbortSignal): Promise<void> {
    for (let before = -1, hasMore = true; hasMore && this.stored.version > before;) {
      before = this.stored.version;
      const update = await this.service.board(before, signal);
      if (signal.aborted) return;
      this.stored.apply(update);
      this.recordable = new Set(update.recordable);
      ({ hasMore } = update);
    }
    this.publish();
  }

  private publish(): void {
    const { isShown, currentPageId, pages } = this.stored.details;
    const at = isShown ? pages.findIndex(({ pageId }) => pageId === currentPageId) : -1;
    const page = pages[at];
    const all = page ? this.stored.elementsOf(page.pageId) : [];
    const elements = all.filter(({ uid, element }) => !element.isDeleted && this.isRecordable(uid));
    const before = this.get().elements;
    const isSame = elements.length === before.length && elements.every((element, at) => element === before[at]);
    this.set({ isKnown: this.stored.isLoaded, page, next: page && pages[at + 1], elements: isSame ? before : elements });
  }
}
