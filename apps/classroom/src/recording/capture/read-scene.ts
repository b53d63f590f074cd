import { grow, type Box, compose, type Item, type Scene } from './scene.js';
import { borderOf, edgesOf, fill, mask, radiusOf, rounded as roundedPath } from './edges.js';
import { canvasItem, imageItem, videoItem } from './pictures.js';
import { iconItem } from './svg.js';
import { textItems } from './text.js';

/** What an element inherits from its ancestors. */
interface InheritedStyle {
  opacity: number;
  /** The color behind the element. */
  ground: string;
  /** The rounded box that clips its content, and the color in its corners. */
  rounded: { box: Box; radius: number; ground: string } | undefined;
}

const SKIPPED_TAGS = new Set(['AUDIO', 'SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE']);

/**
 * Reads the page as a list of items to draw: boxes, text, icons, images, canvases and videos with their current styles. It supports only
 * what our page uses: no gradients, filters or transforms. Later elements are drawn over earlier ones.
 */
export function readScene(root: HTMLElement): Scene {
  const ground = opaque(getComputedStyle(root).backgroundColor) ?? '#000';
  const items: Item[] = [];
  for (const child of root.children) read(child, { opacity: 1, ground, rounded: undefined }, items);
  return compose(ground, items);
}

function read(element: Element, inherited: InheritedStyle, items: Item[]): void {
  if (SKIPPED_TAGS.has(element.tagName)) return;
  const style = getComputedStyle(element);
  const opacity = inherited.opacity * Number(style.opacity);
  const box = boxOf(element);
  if (style.display === 'none' || opacity === 0 || isForScreenReaders(box, style) || isSpinner(style)) return;

  const radius = radiusOf(style, box);
  const background = opaque(style.backgroundColor);
  const isVisible = style.visibility === 'visible';
  if (isVisible && background) items.push(fill(box, radius, background, opacity));
  const isClipped =
    radius > 0 && (style.overflow !== 'visible' || element instanceof HTMLVideoElement || element instanceof HTMLImageElement);
  const inside: InheritedStyle = {
    opacity,
    ground: background ?? inherited.ground,
    rounded: isClipped ? { box, radius, ground: inherited.ground } : inherited.rounded,
  };
  if (isVisible) for (const item of content(element, box, style, inside)) items.push(item);
  if (!(element instanceof SVGElement)) for (const child of element.children) read(child, inside, items);
  if (!isVisible) return;
  for (const item of [...borderOf(box, radius, style, opacity), ...edgesOf(element, box, radius, opacity)]) items.push(item);
}

/** The element's own content, without its box and its children. */
function content(element: Element, box: Box, style: CSSStyleDeclaration, { opacity, ground, rounded }: InheritedStyle): Item[] {
  if (element instanceof HTMLVideoElement) {
    const video = videoItem(element, box, style.objectFit, ground);
    return rounded ? [video, mask(rounded.box, rounded.radius, rounded.ground)] : [video];
  }
  const clip = rounded && roundedPath(rounded.box, rounded.radius);
  if (element instanceof HTMLImageElement) return [imageItem(element, box, style.objectFit, opacity, clip)];
  if (element instanceof HTMLCanvasElement) return [canvasItem(element, box, opacity, clip)];
  if (element instanceof SVGSVGElement) return [iconItem(element, box, style.color, opacity)];
  return textItems(element, style, opacity);
}

export function boxOf(element: Element | Range): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

/** Whether the element is visually hidden the usual way: one pixel in size, clipped. */
const isForScreenReaders = (box: Box, style: CSSStyleDeclaration) =>
  style.overflow !== 'visible' && grow(box, -1).width <= 0 && grow(box, -1).height <= 0;

/** Whether the element is a spinner. A still spinner would look odd, so it is not drawn. */
const isSpinner = ({ animationName, animationIterationCount }: CSSStyleDeclaration) =>
  animationName !== 'none' && animationIterationCount === 'infinite';

const opaque = (color: string) => (/^(transparent|.*[,/]\s*0\))$/.test(color) ? undefined : color);
