import type { BoardElement, BoardPage, BoardUpdate } from '@classroom/contracts';
import { FilmedBoard, type FilmedUpdate } from './filmed-board.js';

const PAGE: BoardPage = { pageId: 'p', template: 'blank', documentId: null, documentPage: null };
const SHOWN = { isShown: true, currentPageId: 'p', pages: [PAGE], drawers: [] };

/** The board as the service has it, and its recording. */
class Scene {
  version = 1;
  details = SHOWN;
  recordable = ['ada'];
  /** By uid, who is in class. */
  readonly present = new Map<string, boolean>();
  readonly asked: number[] = [];
  readonly film: FilmedBoard;
  private readonly elements: BoardElement[] = [];

  constructor() {
    const board = (after: number) => {
      this.asked.push(after);
      return Promise.resolve({ ...this.since(after), recordable: this.recordable } satisfies FilmedUpdate);
    };
    this.film = new FilmedBoard({ board }, (uid) => this.present.get(uid));
  }

  draw(uid: string, id: string, more: { isDeleted?: boolean; pageId?: string } = {}): BoardUpdate {
    const { isDeleted = false, pageId = 'p' } = more;
    this.version += 1;
    this.elements.push({ pageId, uid, version: this.version, element: { id, isDeleted } });
    return this.since(this.version - 1);
  }

  change(details: Partial<typeof SHOWN>): BoardUpdate {
    this.version += 1;
    this.details = { ...this.details, ...details };
    return this.since(this.version - 1);
  }

  push(packet: object, sender?: string): void {
    this.film.receive({ payload: new TextEncoder().encode(JSON.stringify(packet)), topic: 'board', sender });
  }

  async start(): Promise<void> {
    this.film.start();
    await jest.advanceTimersByTimeAsync(0);
  }

  shown = () => this.film.get().elements.map(({ element }) => element.id);

  private since(after: number): BoardUpdate {
    const elements = this.elements.filter(({ version }) => version > after);
    return { base: after, version: this.version, board: this.details, elements, hasMore: false };
  }
}

describe('the board in a recording', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is the page that the class sees, while it sees the board', async () => {
    const scene = new Scene();
    scene.draw('ada', 'a');
    scene.draw('ada', 'other', { pageId: 'q' });
    await scene.start();
    expect([scene.film.get().page, scene.shown()]).toEqual([PAGE, ['a']]);
    scene.push(scene.draw('ada', 'b'));
    scene.push(scene.draw('ada', 'a', { isDeleted: true }));
    expect(scene.shown()).toEqual(['b']);
    scene.push(scene.change({ pages: [PAGE, { ...PAGE, pageId: 'q' }] }));
    expect(scene.film.get().next?.pageId).toBe('q');
    scene.push(scene.change({ isShown: false }));
    expect([scene.film.get().page, scene.shown()]).toEqual([undefined, []]);
    scene.push(scene.change({ isShown: true, currentPageId: 'gone' }));
    expect(scene.film.get().page).toBeUndefined();
    expect(scene.asked).toEqual([0]);
  });

  it('fetches what a lost push had brought: at a gap, after a reconnection, and within half a minute', async () => {
    const scene = new Scene();
    await scene.start();
    scene.draw('ada', 'lost');
    scene.push(scene.draw('ada', 'b'));
    expect(scene.shown()).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(scene.shown()).toEqual(['lost', 'b']);
    scene.draw('ada', 'lost too');
    await scene.start();
    expect(scene.shown()).toEqual(['lost', 'b', 'lost too']);
    scene.draw('ada', 'last');
    await jest.advanceTimersByTimeAsync(36_000);
    expect(scene.shown()).toEqual(['lost', 'b', 'lost too', 'last']);
    scene.film.stop();
    const asked = scene.asked.length;
    await jest.advanceTimersByTimeAsync(120_000);
    expect(scene.asked).toHaveLength(asked);
  });

  it('contains nothing of who has not consented, and all of it from their consent to its withdrawal', async () => {
    const scene = new Scene();
    scene.present.set('ben', false);
    scene.draw('ben', 'b');
    scene.draw('ada', 'a');
    await scene.start();
    scene.push(scene.draw('ben', 'c'));
    expect(scene.shown()).toEqual(['a']);
    scene.present.set('ben', true);
    scene.film.onConsent();
    expect(scene.shown()).toEqual(['b', 'a', 'c']);
    scene.present.set('ben', false);
    scene.film.onConsent();
    expect(scene.shown()).toEqual(['a']);
  });

  it('remembers the answer of who has left, and asks the service about who was never there', async () => {
    const scene = new Scene();
    scene.present.set('ben', true).set('cara', false);
    await scene.start();
    scene.push(scene.draw('ben', 'b'));
    scene.push(scene.draw('cara', 'c'));
    scene.recordable = ['ada', 'ben'];
    for (const uid of ['ben', 'cara']) {
      const answer = scene.present.get(uid)!;
      scene.present.delete(uid);
      scene.film.onLeave(uid, answer);
    }
    expect(scene.shown()).toEqual(['b']);
    await jest.advanceTimersByTimeAsync(0);
    expect(scene.shown()).toEqual(['b']);
    scene.recordable = ['ada', 'ben', 'dan'];
    scene.push(scene.draw('dan', 'd'));
    expect(scene.shown()).toEqual(['b']);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(scene.shown()).toEqual(['b', 'd']);
  });

  it('has the pointers of those who may be recorded, and of no packet of a participant', async () => {
    const scene = new Scene();
    scene.present.set('ada', true).set('ben', false);
    await scene.start();
    const seen: string[] = [];
    scene.film.pointers.add(({ uid }) => seen.push(uid));
    for (const uid of ['ada', 'ben', 'eve']) scene.push({ pointer: { uid, pageId: 'p', x: 1, y: 1 } });
    scene.push({ pointer: { uid: 'ada', pageId: 'p', x: 1, y: 1 } }, 'eve');
    expect(seen).toEqual(['ada']);
  });

  it('stays the same while nothing changes, so that nothing is painted', async () => {
    const scene = new Scene();
    scene.draw('ada', 'a');
    await scene.start();
    const before = scene.film.get();
    await jest.advanceTimersByTimeAsync(100_000);
    expect(scene.asked.length).toBeGreaterThan(2);
    expect(scene.film.get()).toBe(before);
  });
});
