import type { BoardElement, BoardPage, BoardUpdate } from '@classroom/contracts';
import { BoardState } from '../board/board.js';
import type { Pointer } from '../board/class-board.js';
import { PacketReader } from '../board/packets.js';
import { Refresher } from '../class/refresher.js';
import type { DataPacket } from '../media/connection.js';
import { Listeners, Store } from '../store.js';

const TIMEOUT_MS = 10_000;

export interface FilmedUpdate extends BoardUpdate {
  /** Who drew and may be recorded. */
  recordable: string[];
}

/** What the gateway answers to a recording page. Each answer about the board renews the token. */
export class FilmService {
  private readonly pictures = new Map<string, Promise<string>>();

  constructor(private token: string) {}

  /** What changed after a version. @throws Error */
  async board(after: number, signal: AbortSignal): Promise<FilmedUpdate> {
    const { token, ...update } = await this.get<FilmedUpdate & { token: string }>(`/recording/board?after=${after}`, signal);
    this.token = token;
    return update;
  }

  /** The address of a picture in this browser: of a page of a document, from 1. @throws Error */
  picture(documentId: string, page: number): Promise<string> {
    const key = `${documentId} ${page}`;
    const known = this.pictures.get(key);
    if (known) return known;
    const picture = this.load(documentId, page);
    this.pictures.set(key, picture);
    picture.catch(() => this.pictures.delete(key));
    return picture;
  }

  private async load(documentId: string, page: number): Promise<string> {
    const path = `/recording/documents/${encodeURIComponent(documentId)}?after=${page - 1}`;
    const { pages } = await this.get<{ pages: { page: number; url: string }[] }>(path);
    const found = pages.find((one) => one.page === page);
    if (!found) throw new Error('the document has no such page');
    const answer = await pictureAt(found.url);
    return URL.createObjectURL(await answer.blob());
  }

  private async get<T>(path: string, signal?: AbortSignal): Promise<T> {
    const headers = { authorization: `Bearer ${this.token}` };
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(path, { headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return ((await answer.json()) as { data: T }).data;
  }
}

/** A recorder may not reach the public address, and the gateway may not serve pictures itself. */
async function pictureAt(url: string): Promise<Response> {
  const { origin, pathname, search } = new URL(url, location.href);
  const get = (address: string) => fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const own = await get(pathname + search);
  if (own.ok || origin === location.origin) return requireOk(own);
  return requireOk(await get(url));
}

function requireOk(answer: Response): Response {
  if (!answer.ok) throw new Error(`a picture was answered with ${answer.status}`);
  return answer;
}

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
