import { BOARD_SHEET, documentId, MAX_BOARD_PICTURES, type BoardPage } from '@classroom/contracts';

/** An element as it was drawn. The page chose what it contains. */
export type Drawing = Readonly<Record<string, unknown>>;

/** Coordinates of a page's part. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Around what was drawn, in units of the page. */
const MARGIN = 24;
const SHEET: Box = { x: 0, y: 0, ...BOARD_SHEET };
/** No coordinate of a page is larger: hostile numbers must not make a picture of any size. */
const LARGEST = 1e6;
/** Points of a line that are drawn. */
const MOST_POINTS = 20_000;
const DASHES: Record<string, string> = { dashed: '8 8', dotted: '2 6' };
/** What Excalidraw's numbers of fonts stand for, by a font that viewers have. */
const FONTS: Record<number, string> = { 3: 'monospace', 8: 'monospace' };
const TEMPLATES: Record<BoardPage['template'], string> = {
  blank: '',
  grid: '<path d="M40 0H0V40" fill="none" stroke="#dde3ea"/>',
  lines: '<path d="M0 40H40" stroke="#dde3ea"/>',
  music: '<path d="M0 10H40M0 18H40M0 26H40M0 34H40M0 42H40" stroke="#c6ced8"/>',
};

const numberOf = (value: unknown, fallback = 0): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(-LARGEST, Math.min(LARGEST, value)) : fallback;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const rounded = (value: number) => String(Math.round(value * 100) / 100);

/** In the text and the attributes of XML, without the control characters that it has no form for. */
const escaped = (text: string) =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const colorOf = (value: unknown, fallback: string): string => {
  const color = textOf(value);
  if (color === 'transparent') return 'none';
  return /^#[0-9a-f]{3,8}$|^[a-z]{3,20}$/i.test(color) ? color : fallback;
};

const pointsOf = ({ points }: Drawing): [x: number, y: number][] =>
  Array.isArray(points)
    ? points.slice(0, MOST_POINTS).map((point: unknown) => (Array.isArray(point) ? [numberOf(point[0]), numberOf(point[1])] : [0, 0]))
    : [];

/** In the order in which the editor paints them, by its fractional index. Those without one stay behind the one before. */
export function inOrder(drawings: readonly Drawing[]): Drawing[] {
  let last = '';
  const keyed = drawings.map((drawing) => ({ drawing, index: (last = textOf(drawing['index']) || last) }));
  return keyed.sort((a, b) => (a.index < b.index ? -1 : Number(a.index > b.index))).map(({ drawing }) => drawing);
}

/** Where an element is, without its rotation. */
export function boxOf(drawing: Drawing): Box {
  const { x, y } = { x: numberOf(drawing['x']), y: numberOf(drawing['y']) };
  const points = pointsOf(drawing);
  if (points.length === 0) return { x, y, width: Math.abs(numberOf(drawing['width'])), height: Math.abs(numberOf(drawing['height'])) };
  const [left, top, right, bottom] = points.reduce<[number, number, number, number]>(
    ([l, t, r, b], [px, py]) => [Math.min(l, px), Math.min(t, py), Math.max(r, px), Math.max(b, py)],
    [0, 0, 0, 0],
  );
  return { x: x + left, y: y + top, width: right - left, height: bottom - top };
}

/** What a page shows: everything that was drawn, with a margin. */
export function extentOf(drawings: readonly Drawing[]): Box {
  const boxes = drawings.map(boxOf);
  const [first] = boxes;
  if (!first) return SHEET;
  const [left, top, right, bottom] = boxes.reduce<[number, number, number, number]>(
    ([l, t, r, b], box) => [Math.min(l, box.x), Math.min(t, box.y), Math.max(r, box.x + box.width), Math.max(b, box.y + box.height)],
    [first.x, first.y, first.x, first.y],
  );
  return { x: left - MARGIN, y: top - MARGIN, width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN };
}

/** The smallest that contains both. */
function union(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

/** What a page shows. A document lies on its sheet. */
export const boxOfPage = (drawings: readonly Drawing[], { documentId }: Pick<BoardPage, 'documentId'>): Box =>
  documentId === null ? extentOf(drawings) : union(extentOf(drawings), SHEET);

const isDocument = (value: unknown): value is string => documentId.safeParse(value).success;

/** The documents that are pictures among what is drawn. */
export const picturesOf = (drawings: readonly Drawing[]): string[] =>
  [...new Set(drawings.flatMap(({ type, fileId }) => (type === 'image' && isDocument(fileId) ? [fileId] : [])))].slice(
    0,
    MAX_BOARD_PICTURES,
  );

/**
 * A page as a picture that needs no font or file of ours. It is transparent where a document lies under it.
 * @param pictures documents whose pictures lie next to the file
 */
export function toSvg(
  drawings: readonly Drawing[],
  { template, documentId: under }: Pick<BoardPage, 'template' | 'documentId'>,
  pictures: readonly string[] = [],
): string {
  const { x, y, width, height } = boxOfPage(drawings, { documentId: under });
  const view = [x, y, width, height].map(rounded).join(' ');
  const place = `x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}"`;
  const pattern = TEMPLATES[template];
  const size = template === 'music' ? 'width="40" height="80"' : 'width="40" height="40"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}" width="${rounded(width)}" height="${rounded(height)}">`,
    pattern && `<defs><pattern id="page" ${size} patternUnits="userSpaceOnUse">${pattern}</pattern></defs>`,
    under === null && `<rect ${place} fill="#ffffff"/>`,
    pattern && `<rect ${place} fill="url(#page)"/>`,
    ...drawings.map((drawing) => elementOf(drawing, pictures)),
    '</svg>',
  ]
    .filter((part) => part !== false)
    .join('');
}

function elementOf(drawing: Drawing, pictures: readonly string[]): string {
  const shape = drawing['type'] === 'image' ? pictureOf(drawing, pictures) : shapeOf(drawing);
  if (!shape) return '';
  const { x, y, width, height } = boxOf(drawing);
  const degrees = (numberOf(drawing['angle']) * 180) / Math.PI;
  const turned = degrees === 0 ? '' : ` transform="rotate(${[degrees, x + width / 2, y + height / 2].map(rounded).join(' ')})"`;
  const opacity = Math.max(0, Math.min(100, numberOf(drawing['opacity'], 100))) / 100;
  return `<g${opacity === 1 ? '' : ` opacity="${rounded(opacity)}"`}${turned}>${shape}</g>`;
}

function shapeOf(drawing: Drawing): string {
  const { x, y, width, height } = boxOf(drawing);
  const [cx, cy] = [x + width / 2, y + height / 2];
  const line = strokeOf(drawing);
  switch (drawing['type']) {
    case 'rectangle': {
      const radius = drawing['roundness'] ? Math.min(32, Math.min(width, height) / 4) : 0;
      return `<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}" rx="${rounded(radius)}"${line}/>`;
    }
    case 'ellipse':
      return `<ellipse cx="${rounded(cx)}" cy="${rounded(cy)}" rx="${rounded(width / 2)}" ry="${rounded(height / 2)}"${line}/>`;
    case 'diamond': {
      const corners = [cx, y, x + width, cy, cx, y + height, x, cy].map(rounded).join(' ');
      return `<polygon points="${corners}"${line}/>`;
    }
    case 'line':
    case 'arrow':
      return linePath(drawing, line) + (drawing['type'] === 'arrow' ? arrowheads(drawing) : '');
    case 'freedraw':
      return linePath(drawing, strokeOf(drawing, 1.6));
    case 'text':
      return textLines(drawing);
    default:
      return '';
  }
}

function pictureOf(drawing: Drawing, pictures: readonly string[]): string {
  const { fileId } = drawing;
  if (!isDocument(fileId) || !pictures.includes(fileId)) return '';
  const { x, y, width, height } = boxOf(drawing);
  const place = `x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}"`;
  return `<image href="${fileId}.jpg" ${place} preserveAspectRatio="none"/>`;
}

function strokeOf(drawing: Drawing, factor = 1): string {
  const width = Math.max(0.5, Math.min(64, numberOf(drawing['strokeWidth'], 2) * factor));
  const dash = DASHES[textOf(drawing['strokeStyle'])];
  const fill = drawing['type'] === 'freedraw' ? 'none' : colorOf(drawing['backgroundColor'], 'none');
  const stroke = `fill="${fill}" stroke="${colorOf(drawing['strokeColor'], '#1e1e1e')}" stroke-width="${rounded(width)}"`;
  return ` ${stroke} stroke-linecap="round" stroke-linejoin="round"${dash ? ` stroke-dasharray="${dash}"` : ''}`;
}

function linePath(drawing: Drawing, line: string): string {
  const points = placed(drawing);
  const [first, ...rest] = points;
  if (!first) return '';
  // A tap is a line of no length, which round caps show as a dot.
  const steps = (rest.length > 0 ? rest : [first]).map(([px, py]) => `L${rounded(px)} ${rounded(py)}`);
  return `<path d="M${rounded(first[0])} ${rounded(first[1])}${steps.join('')}"${line}/>`;
}

const placed = (drawing: Drawing) => {
  const [x, y] = [numberOf(drawing['x']), numberOf(drawing['y'])];
  return pointsOf(drawing).map(([px, py]): [number, number] => [x + px, y + py]);
};

function arrowheads(drawing: Drawing): string {
  const points = placed(drawing);
  const [first, second, last, previous] = [points[0], points[1], points.at(-1), points.at(-2)];
  const heads = [
    drawing['endArrowhead'] !== null && last && previous ? headAt(last, previous) : '',
    drawing['startArrowhead'] && first && second ? headAt(first, second) : '',
  ].join('');
  return heads && `<path d="${heads}"${strokeOf({ ...drawing, backgroundColor: 'transparent', strokeStyle: 'solid' })}/>`;
}

const HEAD_LENGTH = 16;
const HEAD_ANGLE = Math.PI / 7;

function headAt([x, y]: [number, number], [fromX, fromY]: [number, number]): string {
  const angle = Math.atan2(y - fromY, x - fromX);
  const [one, other] = [angle + Math.PI - HEAD_ANGLE, angle + Math.PI + HEAD_ANGLE].map(
    (side) => `${rounded(x + HEAD_LENGTH * Math.cos(side))} ${rounded(y + HEAD_LENGTH * Math.sin(side))}`,
  );
  return `M${one}L${rounded(x)} ${rounded(y)}L${other}`;
}

const ANCHORS: Record<string, string> = { center: 'middle', right: 'end' };

/** Text stays text: it can be selected, searched and read aloud. */
function textLines(drawing: Drawing): string {
  const { x, y, width } = boxOf(drawing);
  const size = Math.max(1, Math.min(1_000, numberOf(drawing['fontSize'], 20)));
  const step = size * Math.max(0.5, Math.min(4, numberOf(drawing['lineHeight'], 1.25)));
  const align = textOf(drawing['textAlign']);
  const at = align === 'center' ? x + width / 2 : align === 'right' ? x + width : x;
  const font = FONTS[numberOf(drawing['fontFamily'])] ?? 'sans-serif';
  const spans = textOf(drawing['text'])
    .split('\n')
    .map((text, line) => `<tspan x="${rounded(at)}" y="${rounded(y + line * step + size)}">${escaped(text)}</tspan>`);
  const style = `font-family="${font}" font-size="${rounded(size)}" fill="${colorOf(drawing['strokeColor'], '#1e1e1e')}"`;
  return `<text ${style} text-anchor="${ANCHORS[align] ?? 'start'}" xml:space="preserve">${spans.join('')}</text>`;
}
