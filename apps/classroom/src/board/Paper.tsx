import { useLayoutEffect, useRef } from 'react';
import type { Size } from '../stage/tile-layout.js';
import type { Viewport } from './page-fit.js';
import { paintPaper, type Template } from './paper.js';

interface Props {
  template: Template;
  viewport: Viewport;
  size: Size;
  isDark: boolean;
  /** Whether a page of a document lies on it. */
  hasSlide?: boolean;
}

/** What is printed on the page, below what is drawn. It moves and grows with it. */
export function Paper({ template, viewport, size, isDark, hasSlide = false }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    const ratio = window.devicePixelRatio;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.current.width !== width || canvas.current.height !== height) Object.assign(canvas.current, { width, height });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintPaper(context, size, viewport, { template, isDark, hasSlide });
  }, [template, viewport, size, isDark, hasSlide]);
  return <canvas ref={canvas} className="board-paper" data-template={template} aria-hidden />;
}
