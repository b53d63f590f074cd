import type { BoardElement, BoardUpdate } from '@classroom/contracts';
import { ApiError, type Input } from '../session/session.js';
import { ClassBoard } from './class-board.js';
import type { SceneElement, SentElement } from './elements.js';
import { PageScene, type Editor } from './page-scene.js';

export const PAGE = 'page-1';
export const PAGE_DETAILS = { pageId: PAGE, template: 'blank', documentId: null, documentPage: null } as const;

interface Stored extends BoardElement {
  revision: number;
  nonce: number;
}

/** The board of a class as the room service has it, by the rules of the contract. */
export class FakeBoardService {
  version = 1;
  readonly elements = new Map<string, Stored>();
  readonly managers = new Set<string>();
  details: NonNullable<BoardUpdate['board']> = { isShown: true, currentPageId: PAGE, pages: [PAGE_DETAILS], drawers: [] };

  updateSince(after: number): BoardUpdate {
    const changed = [...this.elements.values()].filter(({ version, element }) => version > after && (after > 0 || !element.isDeleted));
    const elements = changed.sort((a, b) => a.version - b.version).map(({ revision: _, nonce: __, ...element }) => element);
    return { base: after, version: this.version, board: this.details, elements, hasMore: false };
  }

  draw(uid: string, { pageId, elements }: Input<'drawOnBoard'>): { version: number; refused: string[] } {
    this.version += 1;
    const refused = elements.filter((element) => !this.store(uid, pageId, element)).map(({ id }) => id);
    return { version: this.version, refused };
  }

  clear(): void {
    this.version += 1;
    for (const [id, stored] of this.elements)
      if (!stored.element.isDeleted)
        this.elements.set(id, { ...stored, revision: stored.revision + 1, version: this.version, element: { id, isDeleted: true } });
  }

  /** What is seen of the page. */
  shown(): string[] {
    return [...this.elements.values()]
      .flatMap(({ element }) => (element.isDeleted ? [] : [`${element.id} ${String(element['x'])}`]))
      .sort();
  }

  private store(uid: string, pageId: string, { isDeleted = false, ...element }: SentElement): boolean {
    const { id, version: revision, versionNonce: nonce } = element;
    const before = this.elements.get(id);
    if (before && before.revision === revision && before.nonce === nonce) return true;
    if (before && ((before.uid !== uid && !this.managers.has(uid)) || revision < before.revision)) return false;
    const form = isDeleted ? { id, isDeleted } : { ...element, isDeleted };
    this.elements.set(id, { pageId, uid: before?.uid ?? uid, version: this.version, element: form, revision, nonce });
    return true;
  }
}

export interface Shape extends SceneElement {
  readonly x: number;
  readonly locked?: boolean;
}

let nonces = 0;

/** A change of an element, as Excalidraw counts it. */
export const changed = (shape: Shape, change: Partial<Shape>): Shape => ({
  ...shape,
  ...change,
  version: shape.version + 1,
  versionNonce: (nonces += 1),
});

/** An editor without a picture. Like Excalidraw, it reports its scene after each change. */
export class FakeEditor implements Editor<Shape> {
  private scene: readonly Shape[] = [];
  readonly busy = new Set<string>();
  onChange: (elements: readonly Shape[]) => void = () => undefined;

  elements = (): readonly Shape[] => this.scene;
  busyIds = (): ReadonlySet<string> => this.busy;
  restore = (element: object): Shape => element as Shape;
  isInvisible = ({ x }: Shape): boolean => x === 0;

  replace = (elements: readonly Shape[]): void => {
    this.scene = elements;
    this.onChange(elements);
  };

  add(id: string, x: number, more: Partial<Shape> = {}): void {
    const shape: Shape = { id, type: 'rectangle', version: 1, versionNonce: (nonces += 1), isDeleted: false, index: 'a1', x, ...more };
    this.replace([...this.scene, shape]);
  }

  change(id: string, change: Partial<Shape>): void {
    this.replace(this.scene.map((shape) => (shape.id === id ? changed(shape, change) : shape)));
  }

  shown(): string[] {
    return this.scene.flatMap(({ id, x, isDeleted }) => (isDeleted ? [] : [`${id} ${x}`])).sort();
  }
}

/** One participant: their board, and the page in their editor. */
export class FakeDrawer {
  readonly board: ClassBoard;
  readonly editor = new FakeEditor();
  readonly toasts: string[] = [];
  readonly scene;
  /** What the next calls do instead of an answer. `lost`: the service gets it, and its answer is lost. */
  failures: ('refused' | 'lost' | ApiError)[] = [];
  calls: string[] = [];
  pointers: Input<'pointAtBoard'>[] = [];
  /** What screen readers announce: the text and its values. */
  announced: [key: string, values: object | undefined][] = [];
  /** The text of each slide, by its number from 1. Without them, slides cannot be found. */
  slides: string[] = [];

  constructor(
    private readonly service: FakeBoardService,
    readonly uid: string,
    onDrawn: () => void = () => undefined,
  ) {
    const manageBoard = service.managers.has(uid);
    const call = async <T>(name: string, answer: () => T): Promise<T> => {
      this.calls.push(name);
      // A poll, which comes at a random time, is not what the service forbids.
      const failure = name === 'get' && this.failures[0] instanceof ApiError ? undefined : this.failures.shift();
      if (failure instanceof ApiError) throw failure;
      if (failure === 'refused') throw new ApiError('NO_ANSWER');
      const answered = structuredClone(answer());
      await Promise.resolve();
      if (failure === 'lost') throw new ApiError('NO_ANSWER');
      return answered;
    };
    const api = {
      getBoard: ({ after = 0 }: Input<'getBoard'> = {}) => call('get', () => service.updateSince(after)),
      drawOnBoard: (input: Input<'drawOnBoard'>) =>
        call('draw', () => {
          const answer = service.draw(uid, structuredClone(input));
          onDrawn();
          return answer;
        }),
      pointAtBoard: (input: Input<'pointAtBoard'>) => call('point', () => void this.pointers.push(input)),
      getDocumentInClass: ({ after }: { after: number }) =>
        call('slides', () => ({
          title: 'Circles',
          pages: this.slides
            .slice(after)
            .map((text, at) => ({ page: after + at + 1, text, url: `${at}`, previewUrl: '', width: 1, height: 1 })),
        })),
    } as unknown as ConstructorParameters<typeof ClassBoard>[0]['api'];
    const session = () => ({ participant: { uid }, permissions: { draw: true, manageBoard } }) as never;
    const toasts = {
      announce: ({ key, values }: { key: string; values?: object }) => void this.announced.push([key, values]),
      showToast: ({ key }: { key: string }) => void this.toasts.push(key),
    };
    this.board = new ClassBoard({ api, toasts, session });
    this.scene = new PageScene(this.board, PAGE, this.editor, true);
    this.editor.onChange = (elements) => this.scene.onChange(elements);
    this.board.elementChanges.add((refused) => this.scene.sync(refused));
  }

  open(): void {
    this.board.start();
    this.editor.replace(this.scene.begin());
  }

  /** A push, as LiveKit delivers it. */
  push(update: BoardUpdate): void {
    this.board.receive({ payload: new TextEncoder().encode(JSON.stringify(update)), topic: 'board', sender: undefined });
  }
}
