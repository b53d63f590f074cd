import type { MAX_ELEMENT_BYTES } from '@classroom/contracts';
import type { Input } from '../session/session.js';

/** What the page knows of an element of Excalidraw; the rest is passed on. */
export interface SceneElement {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly versionNonce: number;
  readonly isDeleted: boolean;
  readonly index?: string | null;
}

/** An element as it is sent. */
export type SentElement = Input<'drawOnBoard'>['elements'][number];

/** The elements that a board has. Others are frames and embedded pages. */
const TYPES = new Set(['rectangle', 'diamond', 'ellipse', 'line', 'arrow', 'freedraw', 'text']);

/** A picture shows the first page of a document: the board has no files of its own. */
const isPicture = (element: object): boolean =>
  'type' in element && element.type === 'image' && 'fileId' in element && String(element.fileId).startsWith('doc_');

export const isSupported = (element: object): boolean => isPicture(element) || ('type' in element && TYPES.has(String(element.type)));

/** A link would lead the class to any address, and the page does not show frames. */
export const harmless = <E extends object>(element: E) => ({ ...element, link: null, frameId: null, customData: undefined });

/** In the order in which they are painted. Two people who draw at the same time give their elements the same index. */
export function inOrder<E extends SceneElement>(elements: Iterable<E>): E[] {
  const placed = [...elements].map((element, at) => ({ element, at }));
  placed.sort((a, b) => {
    const [one, other] = [a.element.index, b.element.index];
    if (!one || !other) return a.at - b.at;
    if (one !== other) return one < other ? -1 : 1;
    return a.element.id < b.element.id ? -1 : 1;
  });
  return placed.map(({ element }) => element);
}

/** A picture as it is sent: a document, above all other elements of its page, around a point. `size`: of the document's first page. */
export function pictureElement(
  documentId: string,
  size: { width: number; height: number },
  { x, y }: { x: number; y: number },
  others: readonly { element: Readonly<Record<string, unknown>> }[],
): SentElement {
  const scale = Math.min(1, MAX_PICTURE.width / size.width, MAX_PICTURE.height / size.height);
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  const indices = others.map(({ element }) => (typeof element['index'] === 'string' ? element['index'] : ''));
  const last = indices.reduce((highest, index) => (index > highest ? index : highest), '');
  return {
    id: documentId,
    type: 'image',
    fileId: documentId,
    status: 'saved',
    x: x - width / 2,
    y: y - height / 2,
    width,
    height,
    // A key between it and what follows, by the rules of fractional indexing.
    index: last === '' ? 'a0' : `${last}V`,
    version: 1,
    versionNonce: Math.floor(Math.random() * 2 ** 31),
    isDeleted: false,
  };
}

/** Units of a page: half of its sheet. */
const MAX_PICTURE = { width: 640, height: 360 };

const MAX_BYTES: typeof MAX_ELEMENT_BYTES = 32_768;
const encoder = new TextEncoder();

/** UTF-8 bytes of an element as JSON. */
export const sizeOf = (element: object): number => encoder.encode(JSON.stringify(element)).length;

/** The element as it is sent: with the precision that is seen, and of a stroke that lasts too long every second point, or every fourth. */
export function toSent(element: SceneElement): SentElement {
  const { id, version, versionNonce, isDeleted } = element;
  if (isDeleted) return { id, version, versionNonce, isDeleted };
  let sent: SentElement & { points?: unknown; pressures?: unknown } = { ...harmless(element) };
  for (const key of ['points', 'pressures'] as const) if (Array.isArray(sent[key])) sent = { ...sent, [key]: sent[key].map(rounded) };
  while (sizeOf(sent) > MAX_BYTES && Array.isArray(sent.points) && sent.points.length > 8)
    sent = { ...sent, points: halved(sent.points), ...(Array.isArray(sent.pressures) && { pressures: halved(sent.pressures) }) };
  return sent;
}

const rounded = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(rounded) : typeof value === 'number' ? Math.round(value * 100) / 100 : value;

/** The ends stay. */
const halved = (list: readonly unknown[]) => list.filter((_, at) => at % 2 === 0 || at === list.length - 1);
