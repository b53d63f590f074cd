import { harmless, inOrder, isSupported, type SceneElement, type SentElement, toSent } from './elements.js';
import type { ClassBoard } from './class-board.js';

/** What shows a page and lets the participant draw on it. */
export interface Editor<E extends SceneElement> {
  /** Those that were deleted included. */
  elements(): readonly E[];
  replace(elements: readonly E[]): void;
  /** What is being drawn, moved or written: it must stay the same object. */
  busyIds(): ReadonlySet<string>;
  /** An element of the service. Undefined if it cannot be shown. */
  restore(element: object): E | undefined;
  /** Whether it is too small to be seen: the first moment of a shape. */
  isInvisible(element: E): boolean;
}

type Board = Pick<ClassBoard, 'elementsOf' | 'pendingOf' | 'isPending' | 'isStored' | 'mayChange' | 'draw'>;

/**
 * Keeps the editor's scene of one page and the board the same: passes on what the participant draws, and takes over what others draw, without
 * disturbing what is being drawn.
 */
export class PageScene<E extends SceneElement> {
  /** The form of each element that is known, so that what was taken over is not sent back. */
  private readonly known = new Map<string, Pick<E, 'version' | 'versionNonce' | 'isDeleted'>>();
  /** The version of the board at which each element was taken over. */
  private readonly taken = new Map<string, number>();
  /** What the scene shows and the service does not have. */
  private strays = new Set<string>();
  private isOpen = false;
  private isReplacing = false;
  /** Whether something waits until the participant has finished what they are doing. */
  private isDeferred = false;

  constructor(
    private readonly board: Board,
    private readonly pageId: string,
    private readonly editor: Editor<E>,
    private readonly mayDraw: boolean,
  ) {}

  /** The elements with which the editor begins. */
  begin(): E[] {
    const elements = new Map<string, E>();
    for (const { element, version } of this.board.elementsOf(this.pageId)) {
      this.taken.set(element.id, version);
      const restored = element.isDeleted ? undefined : this.restore(element);
      if (restored) elements.set(element.id, restored);
    }
    for (const element of this.board.pendingOf(this.pageId)) {
      const restored = element.isDeleted ? undefined : this.restore(element);
      if (restored) elements.set(element.id, restored);
      else elements.delete(element.id);
    }
    return inOrder(elements.values());
  }

  /** The editor reports its scene, changed or not. The first time, it has what it began with. */
  onChange(elements: readonly E[]): void {
    if (this.isReplacing) return;
    if (this.isOpen) {
      this.passOn(elements);
      if (this.isDeferred && this.editor.busyIds().size === 0) this.sync();
      return;
    }
    this.isOpen = true;
    this.remember(elements);
    this.sync();
  }

  /** The editor is gone. */
  close(): void {
    if (this.isOpen) this.passOn(this.editor.elements());
    this.isOpen = false;
  }

  /** @param refused what the service did not take over */
  sync(refused: readonly string[] = []): void {
    for (const id of refused) {
      this.taken.delete(id);
      if (!this.board.isStored(id)) this.strays.add(id);
    }
    if (!this.isOpen) return;
    this.passOn(this.editor.elements());
    this.isDeferred = false;
    const busy = this.editor.busyIds();
    const scene = new Map(this.editor.elements().map((element) => [element.id, element]));
    const isRemoved = this.removeStrays(scene, busy);
    if (!this.takeOver(scene, busy) && !isRemoved) return;
    this.isReplacing = true;
    this.editor.replace(inOrder(scene.values()));
    this.isReplacing = false;
    this.remember(this.editor.elements());
  }

  private takeOver(scene: Map<string, E>, busy: ReadonlySet<string>): boolean {
    let isChanged = false;
    for (const { element, version } of this.board.elementsOf(this.pageId)) {
      const { id } = element;
      if (this.taken.get(id) === version || this.board.isPending(id)) continue;
      if (busy.has(id)) {
        this.isDeferred = true;
        continue;
      }
      this.taken.set(id, version);
      const shown = scene.get(id);
      if (element.isDeleted) {
        if (!shown || shown.isDeleted) continue;
        // The service counts a page that is cleared as one change of the element.
        scene.set(id, { ...shown, isDeleted: true, version: shown.version + 1 });
      } else {
        // What the participant drew is there already, and more exact than what was sent.
        if (shown && !shown.isDeleted && shown.versionNonce === element['versionNonce'] && shown.version === element['version']) continue;
        const restored = this.restore(element);
        if (!restored) continue;
        scene.set(id, restored);
      }
      isChanged = true;
    }
    return isChanged;
  }

  private removeStrays(scene: Map<string, E>, busy: ReadonlySet<string>): boolean {
    const removed = [...this.strays].filter((id) => !busy.has(id));
    for (const id of removed) this.strays.delete(id);
    this.isDeferred ||= this.strays.size > 0;
    return removed.filter((id) => !this.board.isStored(id) && scene.delete(id)).length > 0;
  }

  private passOn(elements: readonly E[]): void {
    if (!this.mayDraw) return;
    const drawn = elements.filter((element) => this.isNews(element)).filter((element) => this.isAllowed(element));
    const sent = [...drawn.map(toSent), ...this.vanished(elements)];
    if (sent.length > 0) this.board.draw(this.pageId, sent);
  }

  private isNews(element: E): boolean {
    const { id, version, versionNonce, isDeleted } = element;
    const known = this.known.get(id);
    if (known ? known.versionNonce === versionNonce && known.version === version : isDeleted || this.editor.isInvisible(element))
      return false;
    this.known.set(id, { version, versionNonce, isDeleted });
    return true;
  }

  /** What may not be changed, or is nothing that a board has, is put back. */
  private isAllowed(element: E): boolean {
    if (isSupported(element) && this.board.mayChange(element.id)) return true;
    this.taken.delete(element.id);
    this.strays.add(element.id);
    this.isDeferred = true;
    return false;
  }

  /** A shape that became too small to be seen leaves the scene without being deleted. */
  private vanished(elements: readonly E[]): SentElement[] {
    if (this.known.size <= elements.length) return [];
    const present = new Set(elements.map(({ id }) => id));
    const gone = [...this.known].filter(([id]) => !present.has(id));
    for (const [id] of gone) this.known.delete(id);
    return gone
      .filter(([id, { isDeleted }]) => !isDeleted && this.board.mayChange(id) && (this.board.isStored(id) || this.board.isPending(id)))
      .map(([id, { version }]) => ({ id, version: version + 1, versionNonce: Math.floor(Math.random() * 2 ** 31), isDeleted: true }));
  }

  private remember(elements: readonly E[]): void {
    this.known.clear();
    for (const { id, version, versionNonce, isDeleted } of elements) this.known.set(id, { version, versionNonce, isDeleted });
  }

  /** Of another participant, it is locked for who does not manage the board. */
  private restore(element: object & { id: string }): E | undefined {
    if (!isSupported(element)) return undefined;
    const restored = this.editor.restore(harmless(element));
    return restored && this.mayDraw && !this.board.mayChange(element.id) ? { ...restored, locked: true } : restored;
  }
}
