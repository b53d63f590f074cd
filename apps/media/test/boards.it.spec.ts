import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BOARD_SHEET, deleteDocument, type BoardDrawing } from '@classroom/contracts';
import { pictureSizeOf } from '@classroom/platform';
import { eventually, ffmpeg, pdfOf } from '@classroom/testing';
import { newClass, settled, upload } from './support/class-documents.js';
import { ended, MediaFixture } from './support/media-fixture.js';

jest.setTimeout(180_000);

const SHEET = { x: 0, y: 0, ...BOARD_SHEET };
const SLIDES = ['The hypotenuse is opposite the right angle.', 'A second slide', 'The third'];
const WITH_WORKER = { ROLES: 'service,worker', TRANSCODING_LEASE_SECONDS: '2' };
const RED = '#ff0000';

const svgOf = (content: string, { x, y, width, height }: BoardDrawing['box'] = SHEET) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}">${content}</svg>`;
const textAt = (x: number, y: number, text: string) =>
  `<text font-family="sans-serif" font-size="40" xml:space="preserve"><tspan x="${x}" y="${y}">${text}</tspan></text>`;
const redAt = (x: number, y: number) => `<rect x="${x}" y="${y}" width="100" height="60" fill="${RED}"/>`;

const pageOf = (content: string, given: Partial<BoardDrawing> = {}): BoardDrawing => {
  const page = { pageId: randomUUID(), documentId: null, documentPage: null, pictures: [], box: SHEET, ...given };
  return { svg: svgOf(content, page.box), ...page };
};

describe('the board as a file', () => {
  let fixture: MediaFixture;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'boards-'));
    fixture = await MediaFixture.start();
    await fixture.startApp(WITH_WORKER);
  });
  afterAll(async () => {
    await fixture?.stop();
  });

  const run = async (program: string, ...args: string[]) => (await promisify(execFile)(program, args)).stdout;
  const written = (name: string, file: Buffer) => {
    const path = join(folder, `${randomUUID()}-${name}`);
    writeFileSync(path, file);
    return path;
  };
  /** The letters of each page, without spaces: where a font is replaced by another, as on a machine without it, letters stand apart. */
  const wordsOf = async (file: Buffer) =>
    (await run('pdftotext', written('board.pdf', file), '-'))
      .split('\f')
      .slice(0, -1)
      .map((text) => text.replaceAll(/\s/g, ''));
  const sizesOf = async (file: Buffer) =>
    [...(await run('pdfinfo', '-f', '1', '-l', '99', written('board.pdf', file))).matchAll(/^Page +\d+ size: +(\S+) x (\S+) pts/gm)].map(
      ([, width, height]) => [Number(width), Number(height)],
    );
  /** The colors at places of a picture, from 0 to 1 across and down. */
  async function colorsOf(picture: Buffer, places: readonly [number, number][]): Promise<string[]> {
    const { width, height } = pictureSizeOf(picture) ?? { width: 0, height: 0 };
    const raw = join(folder, `${randomUUID()}.rgb`);
    await ffmpeg(['-v', 'error', '-i', written('board.png', picture), '-f', 'rawvideo', '-pix_fmt', 'rgb24', raw]);
    const pixels = readFileSync(raw);
    return places.map(([x, y]) => {
      const at = 3 * (Math.floor(y * height) * width + Math.floor(x * width));
      return `#${pixels.subarray(at, at + 3).toString('hex')}`;
    });
  }
  const boardFolders = (home = fixture.workHome) => readdirSync(home).filter((name) => name.startsWith('board_'));
  const nothingIsLeft = (home?: string) => eventually(async () => expect(boardFolders(home)).toEqual([]));

  test('has what is drawn over the slides, as text in every script, and blank sheets for deleted documents', async () => {
    const room = newClass(fixture);
    const [kept, deleted] = await Promise.all([upload(fixture, room, pdfOf(SLIDES)), upload(fixture, room, pdfOf(['Deleted words']))]);
    for (const documentId of [kept, deleted]) expect(await settled(fixture, documentId)).toMatchObject({ status: 'completed' });
    await fixture.call(deleteDocument, { ...room, documentId: deleted });
    fixture.boards.set(room.roomId, [
      pageOf(`<rect width="1280" height="720" fill="#fff"/>${textAt(40, 100, 'Größe درس नमस्ते 学校 🎉')}`),
      pageOf(textAt(40, 100, 'Over the third'), { documentId: kept, documentPage: 3 }),
      pageOf(textAt(40, 100, 'Over the first'), { documentId: kept, documentPage: 1 }),
      pageOf(textAt(40, 100, 'Over nothing'), { documentId: deleted, documentPage: 1 }),
      pageOf(textAt(40, 100, 'Beyond'), { documentId: kept, documentPage: 9 }),
    ]);
    const stored = await fixture.bucket.list('');
    const file = await fixture.board({ ...room, format: 'pdf' });
    const words = await wordsOf(file);
    expect(words).toHaveLength(5);
    for (const word of ['Größe', 'नमस्ते', '学校']) expect(words[0]).toContain(word);
    // pdftotext marks the direction, and may part a word of joined letters.
    expect(words[0]?.replaceAll(/[^\u0621-\u064a]/g, '')).toBe('درس');
    expect(words[1]).toMatch(/Overthethird/);
    expect(words[1]).toMatch(/Thethird/);
    expect(words[2]).toContain(SLIDES[0]?.replaceAll(' ', ''));
    expect(words[3]).toBe('Overnothing');
    expect(words[4]).toBe('Beyond');
    expect(await sizesOf(file)).toEqual(words.map(() => [960, 540]));
    expect([...(await fixture.bucket.list('')).keys()].filter((key) => !stored.has(key))).toEqual([]);
    await nothingIsLeft();
  });

  test('is a picture with each stroke at its place, over the slide in the middle of the sheet', async () => {
    const room = newClass(fixture);
    const colored = join(folder, 'green.png');
    await ffmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=0x00ff00:s=400x400:d=1', '-frames:v', '1', colored]);
    const documentId = await upload(fixture, room, readFileSync(colored), 'image/png');
    await settled(fixture, documentId);
    const box = { x: -320, y: 0, width: 1_920, height: 720 };
    fixture.boards.set(room.roomId, [pageOf(redAt(590, 330), { documentId, documentPage: 1, box }), pageOf('')]);
    const picture = await fixture.board({ ...room, format: 'png' });
    expect(pictureSizeOf(picture)).toMatchObject({ width: 2_560, height: 960 });
    // The sheet begins at a sixth of the picture; the slide is a square in its middle.
    const [stroke, slide, left, right, beside] = await colorsOf(picture, [
      [0.5, 0.5],
      [0.4, 0.2],
      [0.32, 0.5],
      [0.68, 0.5],
      [0.25, 0.5],
    ]);
    expect([stroke, beside]).toEqual([RED, '#ffffff']);
    for (const green of [slide, left, right]) expect(green).toMatch(/^#0[0-9a-f]f[0-9a-f]0[0-9a-f]$/);
  });

  test('has the pictures that were put on it, and nothing in place of those that are gone', async () => {
    const room = newClass(fixture);
    const colored = join(folder, 'blue.png');
    await ffmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=c=blue:s=64x64', '-frames:v', '1', colored]);
    const blue = await upload(fixture, room, readFileSync(colored), 'image/png');
    expect(await settled(fixture, blue)).toMatchObject({ status: 'completed' });
    const gone = `doc_${'x'.repeat(20)}`;
    const pictures = [blue, gone].map(
      (id, at) => `<image href="${id}.jpg" x="${at * 640}" y="0" width="640" height="720" preserveAspectRatio="none"/>`,
    );
    fixture.boards.set(room.roomId, [pageOf(`${pictures.join('')}${redAt(300, 300)}`, { pictures: [blue, gone] })]);
    const [picture, stroke, missing] = await colorsOf(await fixture.board({ ...room, format: 'png' }), [
      [0.1, 0.5],
      [0.27, 0.45],
      [0.75, 0.5],
    ]);
    expect([stroke, missing]).toEqual([RED, '#ffffff']);
    expect(picture).toMatch(/^#0[0-9a-f]0[0-9a-f]f[0-9a-f]$/);
  });

  test.each([
    ['turned', '/Rotate 90', 405 / 720],
    ['cropped', '/CropBox[0 100 360 405]', 360 / 305],
    ['cropped and turned', '/CropBox[0 100 360 405]/Rotate 270', 305 / 360],
  ])('has a slide that is %s as it is shown', async (_, page, ratio) => {
    const room = newClass(fixture);
    const gray = pdfOf(['x'], { page })
      .toString('latin1')
      .replace(/BT [^\n]*? ET/, (text) => '0.5 g 0 0 999 999 re f'.padEnd(text.length));
    const documentId = await upload(fixture, room, Buffer.from(gray, 'latin1'));
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'completed' });
    fixture.boards.set(room.roomId, [pageOf('', { documentId, documentPage: 1 })]);
    const half = (720 * ratio) / 1_280 / 2;
    const colors = await colorsOf(await fixture.board({ ...room, format: 'png' }), [
      [0.5 - half + 0.01, 0.03],
      [0.5 + half - 0.01, 0.97],
      [0.5 - half - 0.01, 0.5],
      [0.5 + half + 0.01, 0.5],
    ]);
    expect(colors).toEqual(['#808080', '#808080', '#ffffff', '#ffffff']);
  });

  test('has nothing of a slide but what is seen: no script and no link', async () => {
    const room = newClass(fixture);
    const active =
      '/AA<</O<</S/JavaScript/JS(app.alert\\(1\\))>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI(https://evil.example)>>>>]';
    const documentId = await upload(fixture, room, pdfOf(['Words'], { page: active }));
    await settled(fixture, documentId);
    fixture.boards.set(room.roomId, [pageOf('', { documentId, documentPage: 1 })]);
    const file = await fixture.board({ ...room, format: 'pdf' });
    expect((await wordsOf(file))[0]).toContain('Words');
    const plain = written('plain.pdf', file);
    expect(await run('pdfinfo', '-js', plain)).not.toContain('alert');
    expect(await run('pdfinfo', '-url', plain)).not.toContain('evil');
  });

  test.each([
    ['a file of this machine', `<image href="file:///etc/passwd" width="99" height="99"/>${textAt(9, 99, 'still here')}`],
    ['another address', `<image href="http://127.0.0.1:1/x.png" width="99" height="99"/>${textAt(9, 99, 'still here')}`],
    ['text like markup', textAt(9, 99, '&lt;/svg&gt;&lt;script&gt; &amp;amp; still here')],
    ['a script', `<script>throw 1</script>${textAt(9, 99, 'still here')}`],
  ])('draws no more than a picture of %s', async (_, content) => {
    const room = newClass(fixture);
    fixture.boards.set(room.roomId, [pageOf(content)]);
    const [words] = await wordsOf(await fixture.board({ ...room, format: 'pdf' }));
    expect(words).toContain('stillhere');
    expect(words).not.toContain('root:');
  });

  test('is refused if a page is too much to be drawn, while others are made', async () => {
    const [room, other] = [newClass(fixture), newClass(fixture)];
    fixture.boards.set(room.roomId, [pageOf('<g>'.repeat(250_000) + '</g>'.repeat(250_000))]);
    fixture.boards.set(other.roomId, [pageOf(textAt(9, 99, 'Fine'))]);
    const refused = expect(fixture.board({ ...room, format: 'pdf' })).rejects.toMatchObject({ code: 'BOARD_TOO_LARGE' });
    expect((await wordsOf(await fixture.board({ ...other, format: 'pdf' })))[0]).toContain('Fine');
    await refused;
    await nothingIsLeft();
  });

  test('uses the pictures of a document whose file is damaged by now', async () => {
    const room = newClass(fixture);
    const documentId = await upload(fixture, room, pdfOf(SLIDES));
    await settled(fixture, documentId);
    const [key = ''] = [...(await fixture.bucket.list('documents/')).keys()].filter((it) => it.endsWith(`${documentId}/source`));
    await fixture.bucket.put(key, Buffer.from('%PDF-1.4\nnothing of value'));
    fixture.boards.set(room.roomId, [pageOf(redAt(0, 0), { documentId, documentPage: 1 })]);
    const file = await fixture.board({ ...room, format: 'pdf' });
    expect(await wordsOf(file)).toHaveLength(1);
    expect(await run('pdfimages', '-list', written('board.pdf', file))).toMatch(/jpeg/);
  });

  test('of any size is a page that readers of PDF take', async () => {
    const room = newClass(fixture);
    const box = { x: -1e6, y: -1e6, width: 2e6, height: 1e6 };
    fixture.boards.set(room.roomId, [pageOf(redAt(0, 0), { box })]);
    expect(await sizesOf(await fixture.board({ ...room, format: 'pdf' }))).toEqual([[14_400, 7_200]]);
    expect(pictureSizeOf(await fixture.board({ ...room, format: 'png' }))).toMatchObject({ width: 2_560, height: 1_280 });
  });

  test('of many pages has them in their order', async () => {
    const room = newClass(fixture);
    const huge = { x: 0, y: 0, width: 40_000, height: 20_000 };
    const pages = Array.from({ length: 70 }, (_, at) => pageOf(textAt(9, 99, `Page ${at}`), at === 40 ? { box: huge } : {}));
    fixture.boards.set(room.roomId, pages);
    const file = await fixture.board({ ...room, format: 'pdf' });
    expect(await wordsOf(file)).toEqual(pages.map((_, at) => `Page${at}`));
    expect(await sizesOf(file)).toEqual(pages.map(({ box }) => (box === huge ? [14_400, 7_200] : [960, 540])));
    // They share their fonts.
    expect(file.length).toBeLessThan(300_000);
  });

  test('of an unknown room is an ordinary error', async () => {
    await expect(fixture.board({ ...newClass(fixture), format: 'pdf' })).rejects.toMatchObject({ code: 'ROOM_NOT_FOUND' });
  });

  test('is given up with its folder when the reader goes away', async () => {
    const room = newClass(fixture);
    const gone = new AbortController();
    const first = `${JSON.stringify(pageOf(textAt(9, 99, 'First')))}\n`;
    async function* unfinished(cancelled: AbortSignal) {
      yield first;
      await once(cancelled, 'abort');
    }
    fixture.boards.set(room.roomId, unfinished);
    const given = expect(fixture.board({ ...room, format: 'pdf' }, { signal: gone.signal })).rejects.toBeDefined();
    await eventually(async () => expect(boardFolders()).toHaveLength(1), 30_000);
    gone.abort();
    await given;
    await nothingIsLeft();
  });

  test('leaves nothing of a killed worker when the next one has started', async () => {
    const room = newClass(fixture);
    fixture.boards.set(room.roomId, [pageOf(textAt(9, 99, 'Words'))]);
    await fixture.startApp({ ...WITH_WORKER, FAILPOINTS: 'media.board.drawn=delay:60000' });
    const lost = expect(fixture.board({ ...room, format: 'pdf' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await eventually(async () => expect(boardFolders()).toHaveLength(1), 30_000);
    await fixture.stopApp('SIGKILL');
    expect(boardFolders()).toHaveLength(1);
    await lost;
    await fixture.startApp(WITH_WORKER);
    await nothingIsLeft();
    expect((await wordsOf(await fixture.board({ ...room, format: 'pdf' })))[0]).toContain('Words');
  });

  test('is unavailable without a worker, or without rsvg-convert', async () => {
    const room = newClass(fixture);
    fixture.boards.set(room.roomId, [pageOf('')]);
    const unavailable = { code: 'SERVICE_UNAVAILABLE' };
    await fixture.startApp({ ROLES: 'service' });
    await expect(fixture.board({ ...room, format: 'pdf' }, { timeoutMs: 1_000 })).rejects.toMatchObject(unavailable);
    const programs = mkdtempSync(join(folder, 'bin-'));
    for (const name of ['ffmpeg', 'ffprobe', 'pdftocairo', 'pdfinfo', 'pdftotext']) {
      symlinkSync((await run('sh', '-c', `command -v ${name}`)).trim(), join(programs, name));
    }
    const worker = await fixture.startWorker({ PATH: programs });
    await expect(fixture.board({ ...room, format: 'pdf' })).rejects.toMatchObject({
      ...unavailable,
      message: 'Boards can’t be made files here at the moment',
    });
    await ended(worker, 'SIGTERM');
    await fixture.startApp(WITH_WORKER);
  });
});
