import type { BoardElement, BoardUpdate } from '@classroom/contracts';

export type BoardDetails = Readonly<NonNullable<BoardUpdate['board']>>;

export const NO_BOARD: BoardDetails = { isShown: false, currentPageId: null, pages: [], drawers: [] };

/** The board as the service has it, as far as this page knows. Updates may arrive in any order and repeatedly. */
export class BoardState {
  version = 0;
  isLoaded = false;
  details = NO_BOARD;
  private readonly elements = new Map<string, BoardElement>();

  /** @returns whether it was applied or brings nothing new; false: something before it, or in it, has to be fetched */
  apply({ base, version, board, elements, isPartial = false }: BoardUpdate): boolean {
    if (this.isLoaded && version <= this.version) return true;
    if (isPartial || base > this.version) return false;
    this.version = version;
    this.isLoaded = true;
    if (board) this.details = board;
    for (const element of elements) this.keep(element);
    return true;
  }

  /** What the service confirmed before an update brought it. */
  confirm(drawn: BoardElement): void {
    const { id, isDeleted } = drawn.element;
    const uid = this.elements.get(id)?.uid ?? drawn.uid;
    this.keep({ ...drawn, uid, element: isDeleted ? { id, isDeleted } : drawn.element });
  }

  find(id: string): BoardElement | undefined {
    return this.elements.get(id);
  }

  /** Those that were deleted included. */
  elementsOf(pageId: string): BoardElement[] {
    return [...this.elements.values()].filter((element) => element.pageId === pageId);
  }

  private keep(element: BoardElement): void {
    const before = this.elements.get(element.element.id);
    if (!before || before.version < element.version) this.elements.set(element.element.id, element);
  }
}

interface Choice {
  pages: BoardDetails['pages'];
  currentPageId: string | null;
  /** The page that the participant looks at instead of the class's. */
  chosenPageId: string | undefined;
}

/** The page that the participant sees, and its place among all, from 1. Undefined if there is none. */
export function viewedPage({ pages, currentPageId, chosenPageId }: Choice) {
  const find = (pageId: string | null | undefined) => pages.findIndex((page) => page.pageId === pageId);
  const at = find(chosenPageId) >= 0 ? find(chosenPageId) : find(currentPageId);
  const page = pages[at];
  return page && { page, place: at + 1, previous: pages[at - 1]?.pageId, next: pages[at + 1]?.pageId };
}

/** The page after which a document is inserted: the last of the slides to which the page belongs, so that none are torn apart. */
export function afterSlides(pages: BoardDetails['pages'], pageId: string | undefined): string | undefined {
  const at = pages.findIndex((page) => page.pageId === pageId);
  const documentId = pages[at]?.documentId;
  const count = documentId ? pages.slice(at + 1).findIndex((page) => page.documentId !== documentId) : 0;
  return (count < 0 ? pages.at(-1) : pages[at + count])?.pageId;
}

/** The texts on a page in reading order: from top to bottom, then from left to right. */
export function textsOf(elements: readonly BoardElement[]): string[] {
  const place = (element: BoardElement['element'], axis: string) => Number(element[axis]) || 0;
  return elements
    .filter(({ element }) => !element.isDeleted && element['type'] === 'text' && typeof element['text'] === 'string')
    .sort((a, b) => place(a.element, 'y') - place(b.element, 'y') || place(a.element, 'x') - place(b.element, 'x'))
    .map(({ element }) => String(element['text']).trim())
    .filter((text) => text !== '');
}

/** The documents that a page shows as pictures. */
export function picturesOf(elements: readonly BoardElement[]): string[] {
  const ids = elements.flatMap(({ element }) => (!element.isDeleted && element['type'] === 'image' ? [String(element['fileId'])] : []));
  return [...new Set(ids)];
}
