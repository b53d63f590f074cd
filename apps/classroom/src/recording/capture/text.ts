import type { Box, CanvasContext, Item } from './scene.js';

interface Line {
  text: string;
  box: Box;
}

/** The element's own text, split into lines as the browser broke it. */
export function textItems(element: Element, style: CSSStyleDeclaration, opacity: number): Item[] {
  const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const letterSpacing = style.letterSpacing === 'normal' ? '0px' : style.letterSpacing;
  const { color } = style;
  const direction = style.direction as CanvasDirection;
  const limit =
    style.textOverflow === 'ellipsis' ? element.getBoundingClientRect().right - Number.parseFloat(style.paddingRight) : Infinity;
  const ownText = [...element.childNodes].filter((node): node is Text => node instanceof Text && node.data.trim() !== '');
  return ownText.flatMap(linesOf).map(({ text, box }) => ({
    box,
    draw: (context) => {
      context.globalAlpha = opacity;
      context.font = font;
      context.letterSpacing = letterSpacing;
      context.fillStyle = color;
      context.direction = direction;
      context.textAlign = 'left';
      const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText(text);
      context.fillText(truncate(context, text, limit - box.x), box.x, box.y + (box.height - ascent - descent) / 2 + ascent);
    },
  }));
}

/** Detects line breaks by the vertical positions of the words. */
function linesOf(node: Text): Line[] {
  const range = document.createRange();
  const lines: Line[] = [];
  for (const { index, 0: word } of node.data.matchAll(/\S+\s*/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { x, y, width, height } = range.getClientRects()[0] ?? range.getBoundingClientRect();
    const last = lines.at(-1);
    if (last && Math.abs(last.box.y - y) < height / 2) {
      last.text += word;
      last.box.width = x + width - last.box.x;
    } else lines.push({ text: word, box: { x, y, width, height } });
  }
  return lines.map(({ text, box }) => ({ text: text.trimEnd(), box }));
}

/** Shortens a text to the given width in pixels, with an ellipsis at its end. */
export function truncate(context: Pick<CanvasContext, 'measureText'>, text: string, pixels: number): string {
  if (context.measureText(text).width <= pixels + 1) return text;
  const characters = [...text];
  while (characters.length > 0 && context.measureText(`${characters.join('')}…`).width > pixels) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}
