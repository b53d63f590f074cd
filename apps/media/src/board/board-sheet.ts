import { BOARD_SHEET, type BoardDrawing } from '@classroom/contracts';

/** A rectangle of a page of a PDF, in points, from its lower left corner. */
export interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

type Box = BoardDrawing['box'];

/** Points of a unit of the board: a pixel of 96 in an inch. */
const POINTS = 0.75;
/** Points of a page's larger side that every reader of PDF takes. */
const MAX_SIDE = 14_400;
/** Points of a page's smaller side. A line of a kilometre by a millimetre is not shown to scale. */
const MIN_SIDE = 3;

const scaleOf = ({ width, height }: Box) => Math.min(POINTS, MAX_SIDE / Math.max(width, height));

/** Whether it is larger than readers of PDF take. */
export const isLarge = (box: Box): boolean => scaleOf(box) < POINTS;

/** The size of a board's page in a PDF, in points. */
export function sizeOf(box: Box): Size {
  const scale = scaleOf(box);
  return { width: Math.max(MIN_SIDE, box.width * scale), height: Math.max(MIN_SIDE, box.height * scale) };
}

/** Where the page of a document lies: in the middle of the sheet, as large as fits. */
export function placeOf(document: Size, box: Box): Placed {
  const fit = Math.min(BOARD_SHEET.width / document.width, BOARD_SHEET.height / document.height);
  const [width, height] = [document.width * fit, document.height * fit];
  const [left, top] = [(BOARD_SHEET.width - width) / 2, (BOARD_SHEET.height - height) / 2];
  const scale = scaleOf(box);
  return {
    x: (left - box.x) * scale,
    y: (box.y + box.height - top - height) * scale,
    width: width * scale,
    height: height * scale,
  };
}
