import type { BoardPage } from '@classroom/contracts';
import { SHEET, type Viewport } from './page-fit.js';

export type Template = BoardPage['template'];

const LIGHT = { ground: '#eef0f3', paper: '#ffffff', edge: '#d8dce3', line: '#dfe5ee', staff: '#9aa3b2' };
/** Excalidraw inverts what is drawn: black ink is white there. */
const DARK = { ground: '#0f1115', paper: '#1a1d24', edge: '#2a2f3a', line: '#2b313d', staff: '#5b6472' };

/** Below a slide, which is as bright in the dark: what is drawn on it keeps its color. */
const DARK_SLIDE = { ...DARK, ground: '#525a66', paper: LIGHT.paper };

/** Units of a page. */
const [CELL, LINE, STAFF, STAFF_LINE] = [40, 50, 150, 14];
const LINES_OF_STAFF = 5;

/** Heights of the printed lines, from the top of the page. */
export function rowsOf(template: Template): number[] {
  const rows = (first: number, distance: number) => {
    const count = Math.max(0, Math.ceil((SHEET.height - first) / distance));
    return Array.from({ length: count }, (_, at) => first + at * distance);
  };
  if (template === 'grid') return rows(CELL, CELL);
  if (template === 'lines') return rows(2 * LINE, LINE);
  if (template !== 'music') return [];
  const height = (LINES_OF_STAFF - 1) * STAFF_LINE;
  return rows(STAFF / 2, STAFF)
    .filter((top) => top + height < SHEET.height)
    .flatMap((top) => Array.from({ length: LINES_OF_STAFF }, (_, at) => top + at * STAFF_LINE));
}

/** Paints the sheet with what is printed on it, as large and where it is seen. */
export function paintPaper(
  context: CanvasRenderingContext2D,
  { width, height }: { width: number; height: number },
  { scrollX, scrollY, zoom }: Viewport,
  { template, isDark, hasSlide }: { template: Template; isDark: boolean; hasSlide: boolean },
): void {
  const colors = isDark ? (hasSlide ? DARK_SLIDE : DARK) : LIGHT;
  const [left, top] = [(SHEET.x + scrollX) * zoom, (SHEET.y + scrollY) * zoom];
  const [right, bottom] = [left + SHEET.width * zoom, top + SHEET.height * zoom];
  context.fillStyle = colors.ground;
  context.fillRect(0, 0, width, height);
  context.fillStyle = colors.paper;
  context.fillRect(left, top, right - left, bottom - top);
  context.beginPath();
  // At half a pixel, a line of one pixel is sharp.
  const sharp = (value: number) => Math.round(value) + 0.5;
  for (const y of rowsOf(template)) {
    context.moveTo(left, sharp(top + y * zoom));
    context.lineTo(right, sharp(top + y * zoom));
  }
  for (let x = CELL; x < (template === 'grid' ? SHEET.width : 0); x += CELL) {
    context.moveTo(sharp(left + x * zoom), top);
    context.lineTo(sharp(left + x * zoom), bottom);
  }
  context.lineWidth = 1;
  context.strokeStyle = template === 'music' ? colors.staff : colors.line;
  context.stroke();
  context.strokeStyle = colors.edge;
  context.strokeRect(sharp(left), sharp(top), Math.round(right - left), Math.round(bottom - top));
}
