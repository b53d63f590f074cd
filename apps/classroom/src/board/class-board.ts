import type { BoardElement, BoardPointer, BoardUpdate } from '@classroom/contracts';
import type { Toasts } from '../app/toasts.js';
import { Refresher } from '../class/refresher.js';
import type { DataPacket } from '../media/connection.js';
import { ApiError, type ClassroomApi, type ClassroomSession, type Input } from '../session/session.js';
import { Listeners, Store } from '../store.js';
import { ClassDocuments } from '../documents/class-documents.js';
import { DocumentPages } from '../documents/document-pages.js';
import { afterSlides, type BoardDetails, BoardState, NO_BOARD, textsOf, viewedPage } from './board.js';
import { pictureElement, type SentElement } from './elements.js';
import { Outgoing } from './outgoing.js';
import { PacketReader } from './packets.js';

export type Pointer = BoardPointer['pointer'];
export type Template = NonNullable<Input<'addBoardPage'>['template']>;

type Calls =
  | 'getBoard'
  | 'drawOnBoard'
  | 'changeBoard'
  | 'addBoardPage'
  | 'deleteBoardPage'
  | 'clearBoardPage'
  | 'allowToDraw'
  | 'pointAtBoard'
  | 'createDocumentInClass'
  | 'listDocumentsInClass'
  | 'getDocumentInClass'
  | 'deleteDocumentInClass';

export interface BoardParts {
  api: Pick<ClassroomApi, Calls>;
  toasts: Pick<Toasts, 'announce' | 'showToast'>;
  session(): Pick<ClassroomSession, 'participant' | 'permissions'> | undefined;
}

export interface BoardView extends BoardDetails {
  /** The page that the participant looks at instead of the class's. */
  chosenPageId: string | undefined;
}

/** By role, or because who manages the board lets them. */
export const mayDraw = (session: ReturnType<BoardParts['session']>, drawers: readonly string[]): boolean =>
  session !== undefined && (session.permissions.draw || drawers.includes(session.participant.uid));

/** When a pointer is sent that came too early, in milliseconds. */
const POINT_AGAIN_MS = 180;
/** For how long someone counts as drawing after a change, in milliseconds. */
const DRAWING_MS = 3_000;
/** Characters of a page’s texts that are announced. */
const MAX_ANNOUNCED = 400;

/** The board during a stay: what the service has, what the participant draws, and which page they look at. */
export class ClassBoard extends Store<BoardView> {
  /** Elements may have changed. `refused`: the service has others in place of these. */
  readonly elementChanges = new Listeners<[refused: readonly string[]]>();
  readonly pointers = new Listeners<[pointer: Pointer]>();
  readonly documents;
  /** The pictures and texts of slides. */
  readonly slides;
  private readonly packets = new PacketReader();
  private readonly stored = new BoardState();
  private readonly refresher = new Refresher((signal) => this.fetch(signal));
  private readonly outgoing;
  /** When others drew last, by uid. */
  private readonly drewAt = new Map<string, number>();
  private published = NO_BOARD;
  private pointing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: BoardParts) {
    super({ ...NO_BOARD, chosenPageId: undefined });
    this.documents = new ClassDocuments({ api: parts.api });
    this.slides = new DocumentPages(parts.api.getDocumentInClass);
    this.outgoing = new Outgoing({
      send: parts.api.drawOnBoard,
      drawing: () => this.countDrawing(),
      onConfirmed: (pageId, elements, version) => this.onConfirmed(pageId, elements, version),
      onRefused: (ids, error) => this.onRefused(ids, error),
    });
  }

  /** At each entry, and after each reconnection. */
  start(): void {
    if (this.refresher.isRunning) void this.refresher.refreshNow();
    else this.refresher.start();
  }

  stop(): void {
    this.refresher.stop();
    this.outgoing.stop();
    this.documents.stop();
    this.set({ chosenPageId: undefined });
  }

  receive(packet: DataPacket): void {
    const read = this.refresher.isRunning ? this.packets.read(packet) : undefined;
    if (!read) return;
    if (!('pointer' in read)) this.take(read);
    else if (read.pointer.uid !== this.self) this.pointers.notify(read.pointer);
  }

  get manages(): boolean {
    return this.parts.session()?.permissions.manageBoard ?? false;
  }

  /** Whether the participant adds and deletes documents of the class. */
  get managesDocuments(): boolean {
    return this.parts.session()?.permissions.manageParticipants ?? false;
  }

  get mayDraw(): boolean {
    return mayDraw(this.parts.session(), this.get().drawers);
  }

  /** Whether the participant may change this element, or draw it. */
  mayChange(id: string): boolean {
    const stored = this.stored.find(id);
    return this.manages || !stored || stored.uid === this.self;
  }

  /** What the service has of a page. */
  elementsOf(pageId: string): BoardElement[] {
    return this.stored.elementsOf(pageId);
  }

  isStored(id: string): boolean {
    return this.stored.find(id) !== undefined;
  }

  isPending(id: string): boolean {
    return this.outgoing.isPending(id);
  }

  pendingOf(pageId: string): SentElement[] {
    return this.outgoing.pendingOf(pageId);
  }

  draw(pageId: string, elements: readonly SentElement[]): void {
    if (this.refresher.isRunning) this.outgoing.add(pageId, elements);
  }

  /** A pointer that is lost is followed by the next one. One that comes too early is sent a moment later, unless another follows. */
  point(pointer: Input<'pointAtBoard'>, isLate = false): void {
    clearTimeout(this.pointing);
    if (!this.refresher.isRunning) return;
    if (this.outgoing.takeTurn()) this.parts.api.pointAtBoard(pointer).catch(() => undefined);
    else if (!isLate) this.pointing = setTimeout(() => this.point(pointer, true), POINT_AGAIN_MS);
  }

  /** Who manages the board takes the class along. */
  async goTo(pageId: string): Promise<void> {
    this.set({ chosenPageId: pageId === this.get().currentPageId ? undefined : pageId });
    void this.announcePage();
    if (!this.manages) return;
    await this.manage(() => this.parts.api.changeBoard({ currentPageId: pageId }));
    if (this.get().chosenPageId === pageId) this.set({ chosenPageId: undefined });
  }

  /** Back to the page of the class. */
  follow(): void {
    this.set({ chosenPageId: undefined });
    void this.announcePage();
  }

  /** A board without a page gets one. */
  show(): Promise<void> {
    const { api } = this.parts;
    return this.manage(async () => {
      if (this.get().pages.length === 0) await api.addBoardPage({ template: 'blank' });
      return api.changeBoard({ isShown: true });
    });
  }

  hide(): Promise<void> {
    return this.manage(() => this.parts.api.changeBoard({ isShown: false }));
  }

  addPage(template: Template): Promise<void> {
    const { api } = this.parts;
    const viewed = viewedPage(this.get());
    return this.manage(async () => {
      const { pageId } = await api.addBoardPage({ template, ...(viewed && { afterPageId: viewed.page.pageId }) });
      return api.changeBoard({ currentPageId: pageId });
    });
  }

  /** The pages of a document become pages of the board, after the slides that are shown. */
  putOnBoard(documentId: string): Promise<void> {
    const { api } = this.parts;
    const afterPageId = afterSlides(this.get().pages, viewedPage(this.get())?.page.pageId);
    return this.manage(async () => {
      const { pageId } = await api.addBoardPage({ documentId, ...(afterPageId && { afterPageId }) });
      return api.changeBoard({ currentPageId: pageId });
    });
  }

  /** Uploads files, and puts each on the board once it is a document. */
  addFiles(files: readonly File[]): void {
    for (const file of files)
      void this.documents.add(file).then((document) => (document ? this.putOnBoard(document.documentId) : undefined));
  }

  /** Uploads pictures, and draws each around a point of a page. */
  addPictures(pageId: string, files: readonly File[], point: { x: number; y: number }): void {
    for (const file of files) void this.addPicture(pageId, file, point);
  }

  clearPage(pageId: string): Promise<void> {
    return this.manage(() => this.parts.api.clearBoardPage({ pageId }));
  }

  deletePage(pageId: string): Promise<void> {
    return this.manage(() => this.parts.api.deleteBoardPage({ pageId }));
  }

  allowToDraw(uid: string, allowed: boolean): Promise<void> {
    return this.manage(() => this.parts.api.allowToDraw({ uid, allowed }));
  }

  private async addPicture(pageId: string, file: File, point: { x: number; y: number }): Promise<void> {
    const document = await this.documents.add(file);
    if (!document) return;
    const size = await this.slides.find(document.documentId, 1).catch(() => undefined);
    if (size) this.draw(pageId, [pictureElement(document.documentId, size, point, this.elementsOf(pageId))]);
    else this.parts.toasts.showToast({ key: 'toast.actionFailed' });
  }

  private get self(): string | undefined {
    return this.parts.session()?.participant.uid;
  }

  /** Waits until this page has the change, too. */
  private async manage(call: () => Promise<{ version: number }>): Promise<void> {
    try {
      const { version } = await call();
      if (this.stored.version < version) await this.refresher.refreshNow();
    } catch (error) {
      const isFull = error instanceof ApiError && error.code === 'BOARD_FULL';
      this.parts.toasts.showToast({ key: isFull ? 'board:failed.tooManyPages' : 'toast.actionFailed' });
    }
  }

  private async fetch(signal: AbortSignal): Promise<void> {
    for (let before = -1, hasMore = true; hasMore && this.stored.version > before;) {
      before = this.stored.version;
      const update = await this.parts.api.getBoard({ after: before });
      if (signal.aborted) return;
      this.stored.apply(update);
      ({ hasMore } = update);
    }
    this.publish();
  }

  private take(update: BoardUpdate): void {
    for (const { uid } of update.elements) if (uid !== this.self) this.drewAt.set(uid, performance.now());
    const isComplete = this.stored.apply(update) && !(update.hasMore && update.version === this.stored.version);
    if (!isComplete) this.refresher.refreshSoon();
    this.publish();
  }

  private countDrawing(): number {
    const since = performance.now() - DRAWING_MS;
    for (const [uid, at] of this.drewAt) if (at < since) this.drewAt.delete(uid);
    return this.drewAt.size + 1;
  }

  private publish(): void {
    const before = this.get();
    const [{ details }, wasDrawer] = [this.stored, this.mayDraw];
    if (details !== NO_BOARD && details !== this.published) {
      this.published = details;
      const isChosen = details.isShown && before.chosenPageId !== details.currentPageId;
      this.set({ ...details, chosenPageId: isChosen ? before.chosenPageId : undefined });
    }
    this.elementChanges.notify([]);
    const now = this.get();
    const { toasts } = this.parts;
    if (now.isShown !== before.isShown) toasts.announce({ key: now.isShown ? 'board:announced.shown' : 'board:announced.hidden' });
    if (now.isShown && this.mayDraw !== wasDrawer)
      toasts.showToast({ key: wasDrawer ? 'board:announced.mayNotDraw' : 'board:announced.mayDraw' });
    const isOther = viewedPage(now)?.page.pageId !== viewedPage(before)?.page.pageId;
    if (isOther || now.isShown !== before.isShown) void this.announcePage();
  }

  /** Its place, the title of its document, and what is written on it. */
  private async announcePage(): Promise<void> {
    const { page } = viewedPage(this.get()) ?? {};
    if (!page || !this.get().isShown) return;
    const { documentId, documentPage } = page;
    const slide = documentId && documentPage ? await this.slides.find(documentId, documentPage).catch(() => undefined) : undefined;
    const view = this.get();
    const viewed = viewedPage(view);
    if (viewed?.page.pageId !== page.pageId || !view.isShown) return;
    const texts = [slide?.text, ...textsOf(this.elementsOf(page.pageId))].filter(Boolean).join(', ').slice(0, MAX_ANNOUNCED);
    const key = `board:announced.${slide ? 'slide' : 'page'}${texts ? 'WithTexts' : ''}`;
    this.parts.toasts.announce({ key, values: { page: viewed.place, pages: view.pages.length, title: slide?.title, texts } });
  }

  private onConfirmed(pageId: string, elements: readonly SentElement[], version: number): void {
    const uid = this.self ?? '';
    for (const element of elements)
      this.stored.confirm({ pageId, uid, version, element: { ...element, isDeleted: element.isDeleted ?? false } });
    // Nothing may come of the service's push, and others may have drawn meanwhile.
    this.elementChanges.notify([]);
  }

  private onRefused(ids: readonly string[], error?: ApiError): void {
    if (error) this.parts.toasts.showToast({ key: error.code === 'BOARD_FULL' ? 'board:failed.full' : 'board:failed.drawing' });
    this.elementChanges.notify(ids);
    void this.refresher.refreshNow();
  }
}
