import { deflateSync, crc32 } from 'node:zlib';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClassroomPage } from './browser.js';
import type { ClassScene } from './class-scene.js';

/** Pictures are written to this folder, to look at, if it is set. */
const PICTURES = process.env['BOARD_PICTURES'];

export async function look({ page }: ClassroomPage, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Enters without devices. */
export const enter =
  (scene: ClassScene, roomId: string) =>
  (uid: string, role: string, options: object = {}) =>
    scene.enter(roomId, uid, role, { isUnplugged: true, ...options });

export async function shows({ page }: ClassroomPage, mode: 'draw' | 'view'): Promise<void> {
  await page.waitForSelector(`.board[data-board=${mode}] .excalidraw__canvas.static`, { state: 'attached' });
}

/** The number of pixels of the page that something was drawn on. What is being drawn is on a canvas of its own. */
const INK = `(() => {
  const canvas = document.querySelector('.board .excalidraw__canvas.static');
  if (!canvas) return -1;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let ink = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) ink += 1;
  return ink;
})()`;

export const inkOf = ({ page }: ClassroomPage) => page.evaluate<number>(INK);

/** The number of pixels of the page that are drawn in green. */
export const greenOf = ({ page }: ClassroomPage) =>
  page.evaluate<number>(
    INK.replace('data[at] > 0', 'data[at] > 0 && data[at - 2] > data[at - 3] + 40 && data[at - 2] > data[at - 1] + 40'),
  );

export type Point = readonly [x: number, y: number];

/** Where a point of the canvas is in the window; `x` and `y` from 0 to 1. */
export async function placeOf({ page }: ClassroomPage, [x, y]: Point): Promise<Point> {
  const box = await page.locator('.board-canvas').boundingBox();
  if (!box) throw new Error('no board is shown');
  return [box.x + box.width * x, box.y + box.height * y];
}

export async function drag(one: ClassroomPage, points: readonly Point[]): Promise<void> {
  const [first, ...rest] = await Promise.all(points.map((point) => placeOf(one, point)));
  await one.page.mouse.move(...first!);
  await one.page.mouse.down();
  for (const point of rest) await one.page.mouse.move(...point, { steps: 8 });
}

export async function draw(one: ClassroomPage, points: readonly Point[], tool = 'freedraw'): Promise<void> {
  await one.page.click(`.board label:has([data-testid=toolbar-${tool}])`);
  await drag(one, points);
  await one.page.mouse.up();
}

export async function write(one: ClassroomPage, at: Point, text: string): Promise<void> {
  await one.page.click('.board label:has([data-testid=toolbar-text])');
  await one.page.mouse.click(...(await placeOf(one, at)));
  await one.page.keyboard.type(text);
  await one.page.keyboard.press('Escape');
}

/** The number of dark pixels of the slide. */
const PRINTED = `(() => {
  const picture = document.querySelector('.board-slide[data-slide=whole] img');
  if (!picture) return -1;
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let printed = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] < 128) printed += 1;
  return printed;
})()`;

export const printedOf = ({ page }: ClassroomPage) => page.evaluate<number>(PRINTED);

/** Where the slide is in the window. */
export const slideBoxOf = ({ page }: ClassroomPage) => page.locator('.board-slide').boundingBox();

export async function openDocuments(one: ClassroomPage): Promise<void> {
  await one.press('board-add');
  await one.press('board-documents');
  await one.page.waitForSelector('[data-documents]');
}

export const choose = ({ page }: ClassroomPage, name: string, buffer: Buffer) =>
  page.setInputFiles('[data-action=documents-file]', { name, mimeType: '', buffer });

const dataOf = (name: string, type: string, content: Buffer) => `(() => {
  const data = new DataTransfer();
  const bytes = Uint8Array.from(atob('${content.toString('base64')}'), (one) => one.charCodeAt(0));
  data.items.add(new File([bytes], '${name}', { type: '${type}' }));
  return data;
})()`;

/** Drops a file on the middle of the page, as from the desktop. */
export async function drop({ page }: ClassroomPage, name: string, type: string, content: Buffer): Promise<void> {
  await page.evaluate(`(() => {
    const target = document.querySelector('.board-page');
    const { left, top, width, height } = target.getBoundingClientRect();
    const place = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
    const dataTransfer = ${dataOf(name, type, content)};
    for (const kind of ['dragover', 'drop']) target.dispatchEvent(new DragEvent(kind, { ...place, dataTransfer }));
  })()`);
}

/** Pastes a file where the editor has the focus, as after a copy of a picture. */
export async function paste({ page }: ClassroomPage, name: string, type: string, content: Buffer): Promise<void> {
  await page.evaluate(`document.querySelector('.board .excalidraw').dispatchEvent(
    new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: ${dataOf(name, type, content)} }),
  )`);
}

export const textsOf = ({ page }: ClassroomPage) => page.locator('[data-board-texts] li').allInnerTexts();

/** A picture of one color as PNG. */
export function pngOf(width: number, height: number, color: readonly [number, number, number]): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const chunks = [chunkOf('IHDR', header), chunkOf('IDAT', pixels), chunkOf('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...chunks]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([numbers.subarray(0, 4), content, numbers.subarray(4)]);
}
