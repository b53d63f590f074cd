import type { Page, Browser } from 'playwright-core';

/** Simple portraits and a slide, drawn in a browser's canvas, so that no real person is shown. */
const DRAW = `
  const walls = ['#dfe5ea', '#f0e3d2', '#d5e3da', '#e6dcec', '#cfdbe8', '#f3ead7', '#e2e2dc'];
  const skins = ['#f1c9a5', '#8d5a3b', '#e0ac7e', '#c68a5e', '#5f3b28', '#f5d7bd'];
  const hairs = ['#2b1d16', '#5a3a22', '#1c1c20', '#a8743a', '#7c2f1d', '#cfc6ba'];
  const clothes = ['#3c6e91', '#a2453f', '#4d7a5a', '#6a4f8c', '#c0803a', '#2f4858', '#8a8f98'];
  const of = (list, i) => list[i % list.length];
  const fill = (context, color, path) => { context.fillStyle = color; context.beginPath(); path(); context.fill(); };

  function room(c, i, w, h) {
    fill(c, of(walls, i), () => c.rect(0, 0, w, h));
    if (i % 4 === 0) {
      for (let row = 0; row < 3; row += 1) {
        for (let k = 0; k < 9; k += 1) fill(c, of(clothes, i + k * 3 + row) + 'aa', () => c.rect(w * 0.04 + k * w * 0.027, h * (0.1 + row * 0.24), w * 0.02, h * (0.15 - ((k * 7 + i) % 4) * 0.012)));
        fill(c, '#8a6a4c', () => c.rect(w * 0.03, h * (0.25 + row * 0.24), w * 0.27, h * 0.018));
      }
    } else if (i % 4 === 1) {
      fill(c, '#ffffff', () => c.rect(w * 0.68, h * 0.08, w * 0.26, h * 0.5));
      fill(c, '#bcd7ea', () => c.rect(w * 0.695, h * 0.105, w * 0.23, h * 0.45));
      fill(c, '#ffffff', () => c.rect(w * 0.805, h * 0.105, w * 0.01, h * 0.45));
    } else if (i % 4 === 2) {
      for (let k = -2; k < 3; k += 1) fill(c, '#5d8a66', () => c.ellipse(w * 0.12 + k * w * 0.025, h * 0.55 - (2 - Math.abs(k)) * h * 0.04, w * 0.018, h * 0.16, k * 0.35, 0, 7));
      fill(c, '#b5694a', () => c.rect(w * 0.085, h * 0.66, w * 0.07, h * 0.13));
    } else {
      fill(c, '#ffffff', () => c.rect(w * 0.06, h * 0.1, w * 0.2, h * 0.3));
      fill(c, of(clothes, i + 2) + '66', () => c.ellipse(w * 0.16, h * 0.25, w * 0.05, h * 0.09, 0, 0, 7));
    }
  }

  function portrait(c, i, w, h) {
    room(c, i, w, h);
    const [x, y, r] = [w * (0.47 + (i % 5) * 0.02), h * 0.46, h * (0.2 + (i % 3) * 0.012)];
    const [skin, hair, cloth] = [of(skins, i * 5 + 1), of(hairs, i * 7 + 2), of(clothes, i * 3)];
    const isLong = i % 3 === 1;
    if (isLong) fill(c, hair, () => c.ellipse(x, y + r * 0.35, r * 1.12, r * 1.5, 0, 0, 7));
    fill(c, cloth, () => { c.moveTo(x - r * 2.1, h); c.bezierCurveTo(x - r * 2, y + r * 1.6, x - r * 0.9, y + r * 1.5, x, y + r * 1.45); c.bezierCurveTo(x + r * 0.9, y + r * 1.5, x + r * 2, y + r * 1.6, x + r * 2.1, h); });
    fill(c, skin, () => c.rect(x - r * 0.3, y + r * 0.7, r * 0.6, r * 0.8));
    fill(c, skin, () => c.ellipse(x, y + r * 1.48, r * 0.42, r * 0.22, 0, 0, 7));
    fill(c, '#00000018', () => c.ellipse(x, y + r * 0.98, r * 0.3, r * 0.16, 0, 0, 7));
    fill(c, skin, () => c.ellipse(x, y, r * 0.8, r, 0, 0, 7));
    fill(c, hair, () => { c.ellipse(x, y - r * 0.25, r * 0.88, r * 0.88, 0, Math.PI, 0); c.bezierCurveTo(x + r * 0.5, y - r * (isLong ? 0.9 : 0.5), x - r * 0.4, y - r * 0.75, x - r * 0.88, y - r * 0.2); });
    for (const side of [-1, 1]) {
      fill(c, '#ffffff', () => c.ellipse(x + side * r * 0.3, y + r * 0.02, r * 0.13, r * 0.085, 0, 0, 7));
      fill(c, '#2a1d15', () => c.ellipse(x + side * r * 0.3, y + r * 0.02, r * 0.07, r * 0.08, 0, 0, 7));
      fill(c, hair, () => c.rect(x + side * r * 0.3 - r * 0.16, y - r * 0.19, r * 0.32, r * 0.05));
    }
    c.lineWidth = Math.max(2, r * 0.045);
    c.strokeStyle = '#00000040';
    c.beginPath(); c.moveTo(x, y + r * 0.1); c.lineTo(x - r * 0.07, y + r * 0.32); c.lineTo(x + r * 0.04, y + r * 0.34); c.stroke();
    c.strokeStyle = '#9b4a44';
    c.beginPath(); c.arc(x, y + r * 0.38, r * 0.3, 0.35, Math.PI - 0.35); c.stroke();
    if (i % 4 === 2) {
      c.strokeStyle = '#22262e';
      for (const side of [-1, 1]) { c.beginPath(); c.ellipse(x + side * r * 0.3, y + r * 0.03, r * 0.22, r * 0.18, 0, 0, 7); c.stroke(); }
      c.beginPath(); c.moveTo(x - r * 0.08, y); c.lineTo(x + r * 0.08, y); c.stroke();
    }
  }

  function slide(c, _, w, h) {
    fill(c, '#ffffff', () => c.rect(0, 0, w, h));
    c.fillStyle = '#14171c';
    c.font = '600 ' + h * 0.07 + 'px sans-serif';
    c.fillText('The theorem of Pythagoras', w * 0.06, h * 0.14);
    c.font = h * 0.044 + 'px sans-serif';
    c.fillStyle = '#5b6472';
    ['In a triangle with a right angle,', 'the squares over the two short', 'sides are together as large as', 'the square over the long one.'].forEach((line, i) => c.fillText(line, w * 0.06, h * (0.3 + i * 0.075)));
    c.fillStyle = '#2457d6';
    c.font = '600 ' + h * 0.085 + 'px sans-serif';
    c.fillText('a² + b² = c²', w * 0.06, h * 0.76);
    const [u, x, y] = [h * 0.07, w * 0.7, h * 0.62];
    const square = (color, points) => fill(c, color, () => points.forEach(([px, py], i) => (i ? c.lineTo(x + px * u, y + py * u) : c.moveTo(x + px * u, y + py * u))));
    square('#2457d633', [[0, 0], [3, 0], [3, 3], [0, 3]]);
    square('#4d7a5a44', [[0, 0], [0, -4], [-4, -4], [-4, 0]]);
    square('#c0803a44', [[3, 0], [0, -4], [4, -7], [7, -3]]);
    square('#14171c', [[0, 0], [3, 0], [0, -4]]);
    c.fillStyle = '#14171c';
    c.font = '600 ' + h * 0.05 + 'px sans-serif';
    c.fillText('a²', x + u * 1.2, y + u * 1.8);
    c.fillText('b²', x - u * 2.4, y - u * 1.7);
    c.fillText('c²', x + u * 3.1, y - u * 3.2);
  }

  window.draw = (what, i, w, h) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    (what === 'slide' ? slide : portrait)(context, i, w, h);
    const { data } = context.getImageData(0, 0, w, h);
    let text = '';
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode.apply(null, data.subarray(at, at + 32768));
    return btoa(text);
  };
`;

/** A picture in I420. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

export class Painter {
  static async open(browser: Browser) {
    const page = await browser.newPage();
    await page.evaluate(DRAW);
    return new Painter(page);
  }

  page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** @param number of the person or slide */
  async draw(what: 'portrait' | 'slide', number: number, width: number, height: number): Promise<Picture> {
    const rgba = Buffer.from(await this.page.evaluate<string>(`draw('${what}', ${number}, ${width}, ${height})`), 'base64');
    return { width, height, data: toI420(rgba, width, height) };
  }
}

/** Converts with BT.601, as cameras do. */
function toI420(rgba: Uint8Array, width: number, height: number) {
  const luma = width * height;
  const data = new Uint8Array((luma * 3) / 2);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const pixel = row * width + column;
      const [r, g, b] = rgba.subarray(pixel * 4, pixel * 4 + 3);
      data[pixel] = 16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256;
      if (row % 2 || column % 2) continue;
      const chroma = luma + (row / 2) * (width / 2) + column / 2;
      data[chroma] = 128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256;
      data[chroma + luma / 4] = 128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256;
    }
  }
  return data;
}

/** The format that Chromium accepts as a fake camera. */
export function toY4m({ width, height, data }: Picture) {
  const frame = Buffer.concat([Buffer.from('FRAME\n'), data]);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F15:1 Ip A1:1 C420jpeg\n`), frame, frame]);
}
