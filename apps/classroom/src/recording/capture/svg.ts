import type { Box, Item } from './scene.js';

interface Stroke {
  path: Path2D;
  fill: string;
  stroke: string;
  width: number;
}

/** An inline icon of plain shapes, filled or stroked. Our icons use nothing else. */
export function iconItem(svg: SVGSVGElement, box: Box, color: string, opacity: number): Item {
  const view = svg.viewBox.baseVal;
  const [width, height] = view && view.width > 0 ? [view.width, view.height] : [box.width, box.height];
  const strokes = [...svg.querySelectorAll<SVGGeometryElement>('path, line, circle, ellipse, rect, polyline, polygon')].flatMap((shape) => {
    const path = pathOf(shape);
    const style = getComputedStyle(shape);
    return path ? [{ path, fill: style.fill, stroke: style.stroke, width: Number.parseFloat(style.strokeWidth) }] : [];
  });
  return {
    box,
    draw: (context) => {
      context.save();
      context.globalAlpha = opacity;
      context.translate(box.x, box.y);
      context.scale(box.width / width, box.height / height);
      if (view) context.translate(-view.x, -view.y);
      context.lineCap = 'round';
      context.lineJoin = 'round';
      for (const one of strokes) paint(context, one, color);
      context.restore();
    },
  };
}

function paint(context: CanvasRenderingContext2D, { path, fill, stroke, width }: Stroke, color: string): void {
  if (fill !== 'none') {
    context.fillStyle = fill === 'currentcolor' ? color : fill;
    context.fill(path);
  }
  if (stroke === 'none') return;
  context.strokeStyle = stroke === 'currentcolor' ? color : stroke;
  context.lineWidth = width;
  context.stroke(path);
}

function pathOf(shape: SVGGeometryElement): Path2D | undefined {
  const number = (name: string) => Number(shape.getAttribute(name) ?? 0);
  const path = new Path2D();
  switch (shape.tagName) {
    case 'path':
      return new Path2D(shape.getAttribute('d') ?? '');
    case 'line':
      path.moveTo(number('x1'), number('y1'));
      path.lineTo(number('x2'), number('y2'));
      return path;
    case 'circle':
      path.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI);
      return path;
    case 'ellipse':
      path.ellipse(number('cx'), number('cy'), number('rx'), number('ry'), 0, 0, 2 * Math.PI);
      return path;
    case 'rect':
      path.roundRect(number('x'), number('y'), number('width'), number('height'), number('rx') || number('ry'));
      return path;
    case 'polyline':
    case 'polygon':
      return new Path2D(`M${shape.getAttribute('points') ?? ''}${shape.tagName === 'polygon' ? 'Z' : ''}`);
    default:
      return undefined;
  }
}
