import { grow, type Box, type Item } from './scene.js';

/** The radius of the upper left corner; the page's boxes have four equal corners. */
export function radiusOf(style: CSSStyleDeclaration, box: Box): number {
  const [value = '0'] = style.borderTopLeftRadius.split(' ');
  const radius = value.endsWith('%') ? (Number.parseFloat(value) / 100) * box.width : Number.parseFloat(value);
  return Math.min(radius || 0, box.width / 2, box.height / 2);
}

export function fill(box: Box, radius: number, color: string, opacity: number): Item {
  const path = rounded(box, radius);
  return {
    box,
    draw: (context) => {
      context.globalAlpha = opacity;
      context.fillStyle = color;
      context.fill(path);
    },
  };
}

/** Paints the corners of a rounded box in the surrounding color, which is far cheaper than clipping a video along an arc. */
export function mask(box: Box, radius: number, color: string): Item {
  const path = new Path2D();
  path.addPath(rounded(box, 0));
  path.addPath(rounded(box, radius));
  return {
    box,
    draw: (context) => {
      context.globalAlpha = 1;
      context.fillStyle = color;
      context.fill(path, 'evenodd');
    },
  };
}

export function borderOf(box: Box, radius: number, style: CSSStyleDeclaration, opacity: number): Item[] {
  const width = style.borderTopStyle === 'none' ? 0 : Number.parseFloat(style.borderTopWidth);
  return width > 0 ? [stroke(grow(box, -width / 2), Math.max(radius - width / 2, 0), width, style.borderTopColor, opacity)] : [];
}

/** The rings of an element: outlines, and box shadows that only have a spread. Includes those of an `::after` that covers the element. */
export function edgesOf(element: Element, box: Box, radius: number, opacity: number): Item[] {
  const own = ringsOf(getComputedStyle(element), box, radius, opacity);
  const after = getComputedStyle(element, '::after');
  if (after.content === 'none' || after.position !== 'absolute' || Number(after.opacity) === 0) return own;
  const cover = within(box, after);
  const coverRadius = radiusOf(after, cover);
  const shown = opacity * Number(after.opacity);
  return [...own, ...borderOf(cover, coverRadius, after, shown), ...ringsOf(after, cover, coverRadius, shown)];
}

function within(box: Box, style: CSSStyleDeclaration): Box {
  const pixels = (value: string) => Number.parseFloat(value) || 0;
  const [left, right, top, bottom] = [pixels(style.left), pixels(style.right), pixels(style.top), pixels(style.bottom)];
  return { x: box.x + left, y: box.y + top, width: box.width - left - right, height: box.height - top - bottom };
}

function ringsOf(style: CSSStyleDeclaration, box: Box, radius: number, opacity: number): Item[] {
  const rings: Item[] = [];
  const outline = Number.parseFloat(style.outlineWidth);
  if (style.outlineStyle !== 'none' && outline > 0) {
    const out = Number.parseFloat(style.outlineOffset) + outline / 2;
    rings.push(stroke(grow(box, out), Math.max(radius + out, 0), outline, style.outlineColor, opacity));
  }
  const shadow = spreadOf(style.boxShadow);
  if (shadow) {
    const out = (shadow.isInset ? -1 : 1) * (shadow.width / 2);
    rings.push(stroke(grow(box, out), Math.max(radius + out, 0), shadow.width, shadow.color, opacity));
  }
  return rings;
}

/** Parses the computed form `rgb(1, 2, 3) 0px 0px 0px 3px inset`. Undefined for a shadow that is blurred, offset or empty. */
export function spreadOf(shadow: string): { color: string; width: number; isInset: boolean } | undefined {
  const found = /^(.+?) 0px 0px 0px ([\d.]+)px( inset)?$/.exec(shadow);
  if (!found?.[1] || !Number(found[2])) return undefined;
  return { color: found[1], width: Number(found[2]), isInset: found[3] !== undefined };
}

function stroke(box: Box, radius: number, width: number, color: string, opacity: number): Item {
  const path = rounded(box, radius);
  return {
    box: grow(box, width / 2),
    draw: (context) => {
      context.globalAlpha = opacity;
      context.strokeStyle = color;
      context.lineWidth = width;
      context.stroke(path);
    },
  };
}

export function rounded(box: Box, radius: number): Path2D {
  const path = new Path2D();
  if (radius > 0) path.roundRect(box.x, box.y, box.width, box.height, radius);
  else path.rect(box.x, box.y, box.width, box.height);
  return path;
}
