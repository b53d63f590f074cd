import { fit, MAX_TEXT, PageTexts } from './make-pages.js';

describe('the picture of a page', () => {
  it.each([
    [720, 405, 1_600, 900],
    [405, 720, 1_600, 2_844],
    [14_400, 14_400, 1_600, 1_600],
    [10, 14_000, 2, 3_200],
    [14_000, 10, 1_600, 1],
  ])('of %d × %d points has %d × %d pixels', (width, height, across, up) => {
    expect(fit({ width, height }, 1_600)).toEqual({ width: across, height: up });
  });
});

describe('the text of pages', () => {
  const read = (...pieces: string[]) => {
    const texts = new PageTexts();
    for (const piece of pieces) texts.read(piece);
    return texts.all;
  };

  it('is that of each page, however the output is cut', () => {
    expect(read('One\n\n\fTw', 'o\n  words \fThr', 'ee\f')).toEqual(['One', 'Two\nwords', 'Three', '']);
  });

  it('is bounded, and has no control characters and no halves of characters', () => {
    const [text = '', other = ''] = read(`a\u0000b\tc\r\n\n\n d\f${'x'.repeat(MAX_TEXT - 1)}😀 and more`);
    expect(text).toBe('a b c\nd');
    expect(other).toHaveLength(MAX_TEXT);
    expect(other.isWellFormed()).toBe(true);
  });

  it('of more pages than a document has is not kept', () => {
    expect(read('x\f'.repeat(10_000)).length).toBeLessThan(600);
  });
});
