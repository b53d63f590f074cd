import { drawingsIn } from './write-board-file.js';

const pages = ['Größe', '学校 🎉', ''].map((text, at) => ({
  pageId: String(at),
  documentId: null,
  documentPage: null,
  svg: `<svg>${text}</svg>`,
  pictures: [],
  box: { x: 0, y: 0, width: 1, height: 1 },
}));
const bytes = Buffer.from(pages.map((page) => `${JSON.stringify(page)}\n`).join(''));

async function* inFramesOf(size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(size: number, maxLine?: number) {
  const found = [];
  for await (const page of drawingsIn(inFramesOf(size), maxLine)) found.push(page);
  return found;
}

describe('the pages of a board', () => {
  it.each([1, 7, 100, 10_000])('are read from frames of %i bytes', async (size) => {
    expect(await read(size)).toEqual(pages);
  });

  it('are refused if one is too large', async () => {
    await expect(read(10, 60)).rejects.toMatchObject({ code: 'BOARD_TOO_LARGE' });
  });
});
