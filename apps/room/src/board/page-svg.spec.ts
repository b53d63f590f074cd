import { boxOf, extentOf, inOrder, picturesOf, toSvg, type Drawing } from './page-svg.js';

const PAGE = { template: 'blank', documentId: null } as const;
const at = (x: number, y: number, more: Drawing): Drawing => ({ x, y, width: 40, height: 20, strokeColor: '#e03131', ...more });

describe('a page as a picture', () => {
  it('shows everything that was drawn, with a margin, and an empty page as a page', () => {
    expect(extentOf([])).toEqual({ x: 0, y: 0, width: 1_280, height: 720 });
    const line = at(100, 100, {
      type: 'freedraw',
      points: [
        [0, 0],
        [-30, 50],
      ],
    });
    expect(boxOf(line)).toEqual({ x: 70, y: 100, width: 30, height: 50 });
    expect(extentOf([line, at(0, 0, { type: 'rectangle' })])).toEqual({ x: -24, y: -24, width: 148, height: 198 });
  });

  it.each([
    ['rectangle', {}, '<rect x="5" y="5" width="40" height="20" rx="0" fill="none" stroke="#e03131" stroke-width="2"'],
    ['ellipse', { backgroundColor: '#ffec99' }, '<ellipse cx="25" cy="15" rx="20" ry="10" fill="#ffec99"'],
    [
      'diamond',
      { strokeStyle: 'dashed' },
      '<polygon points="25 5 45 15 25 25 5 15" fill="none" stroke="#e03131" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" stroke-dasharray="8 8"',
    ],
  ])('has a %s', (type, more, expected) => {
    expect(toSvg([at(5, 5, { type, ...more })], PAGE)).toContain(expected);
  });

  it('has lines, arrows with their heads, strokes of a pen, and dots', () => {
    const points = [
      [0, 0],
      [10, 0],
    ];
    expect(toSvg([at(1, 2, { type: 'line', points })], PAGE)).toContain('<path d="M1 2L11 2"');
    expect(toSvg([at(1, 2, { type: 'arrow', points })], PAGE).match(/<path/g)).toHaveLength(2);
    expect(toSvg([at(1, 2, { type: 'freedraw', points: [[0, 0]] })], PAGE)).toContain('<path d="M1 2L1 2" fill="none"');
  });

  it('keeps text as text, line by line, in every script', () => {
    const text = toSvg([at(0, 0, { type: 'text', text: 'a < b & "c"\nसंस्कृतम् 🎈', fontSize: 10, textAlign: 'center' })], PAGE);
    expect(text).toContain('<tspan x="20" y="10">a &lt; b &amp; &quot;c&quot;</tspan>');
    expect(text).toContain('<tspan x="20" y="22.5">संस्कृतम् 🎈</tspan>');
    expect(text).toContain('text-anchor="middle"');
  });

  it('prints the template under what was drawn, and turns and fades elements', () => {
    const svg = toSvg([at(0, 0, { type: 'rectangle', angle: Math.PI / 2, opacity: 50 })], { ...PAGE, template: 'grid' });
    expect(svg).toMatch(/<pattern id="page".*url\(#page\).*<g opacity="0.5" transform="rotate\(90 20 10\)">/);
  });

  it('shows nothing of what no page draws, whatever an element contains', () => {
    const hostile: Drawing[] = [
      { type: 'script', x: 0, y: 0 },
      {
        type: 'rectangle',
        x: Infinity,
        y: 'x',
        width: 1e300,
        height: null,
        strokeColor: '"/><script>alert(1)</script>',
        strokeWidth: 'NaN',
      },
      { type: 'text', text: '</text><script>alert(1)</script>\u0000\ud800', fontFamily: '"><x', x: {}, textAlign: '"' },
      { type: 'line', points: 'many', x: 1 },
      { type: 'freedraw', points: [null, ['a', {}], [1e9, -1e9]], angle: 'left', opacity: -5 },
      { type: 'image', fileId: 'https://other.example' },
    ];
    const svg = toSvg(hostile, PAGE);
    expect(svg).not.toMatch(/<script|<image|NaN|Infinity|undefined|other\.example/);
    expect(svg).toContain('&lt;/text&gt;');
  });

  it('has pictures of documents where they lie next to it, and no others', () => {
    const [shown, other] = ['a', 'b'].map((letter) => `doc_${letter.repeat(20)}`) as [string, string];
    const drawings = [shown, other, 'https://evil.example/x', '../secret'].map((fileId) => at(1, 2, { type: 'image', fileId }));
    expect(picturesOf(drawings)).toEqual([shown, other]);
    expect(toSvg(drawings, PAGE, [shown]).match(/<image [^>]+>/g)).toEqual([
      `<image href="${shown}.jpg" x="1" y="2" width="40" height="20" preserveAspectRatio="none"/>`,
    ]);
    expect(toSvg(drawings, PAGE)).not.toContain('<image');
  });

  it('is painted in the order of the editor', () => {
    const indices = ['a2', undefined, 'a0', 'a1'];
    const named = inOrder(indices.map((index, id) => ({ id, index }))).map(({ id }) => id);
    expect(named).toEqual([2, 3, 0, 1]);
  });
});
