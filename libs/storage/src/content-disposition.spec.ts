import { contentDisposition } from './content-disposition.js';

describe('the name under which a browser saves a file', () => {
  test.each([
    ['class.mp4', 'attachment; filename="class.mp4"'],
    ['Algebra I (2026-09-01).mp4', 'attachment; filename="Algebra I (2026-09-01).mp4"'],
    ['Übung für Größen.mp4', `attachment; filename="Ubung fur Gro_en.mp4"; filename*=UTF-8''%C3%9Cbung%20f%C3%BCr%20Gr%C3%B6%C3%9Fen.mp4`],
    ['数学.mp4', `attachment; filename="__.mp4"; filename*=UTF-8''%E6%95%B0%E5%AD%A6.mp4`],
    ['100 % "sure".mp4', `attachment; filename="100 _ _sure_.mp4"; filename*=UTF-8''100%20%25%20%22sure%22.mp4`],
    [`it's a*b.mp4`, `attachment; filename="it's a*b.mp4"`],
    [`ü'*.mp4`, `attachment; filename="u'*.mp4"; filename*=UTF-8''%C3%BC%27%2A.mp4`],
    ['🎓.mp4', `attachment; filename="_.mp4"; filename*=UTF-8''%F0%9F%8E%93.mp4`],
  ])('is encoded: %s', (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });

  test.each([
    ['a path', '../../etc/passwd', '.._.._etc_passwd'],
    ['a path of Windows', 'C:\\temp\\x.mp4', 'C:_temp_x.mp4'],
    ['another header', 'a\r\nSet-Cookie: b', 'aSet-Cookie: b'],
    ['an ending written backwards', 'exe.\u202E4pm', 'exe.4pm'],
  ])('is never a path: %s', (_, name, saved) => {
    expect(contentDisposition(name)).toBe(`attachment; filename="${saved}"`);
  });

  test('is one header, and each client reads the same name in it, for every character of Unicode', () => {
    const wrong: string[] = [];
    // Every character of the first plane, and one of each 16 of the others.
    for (let code = 0; code <= 0x10_ff_ff; code += code < 0x1_00_00 ? 1 : 16) {
      const name = `a${String.fromCodePoint(code)}b`;
      const header = contentDisposition(name);
      const [, ascii = '', encoded] = /^attachment; filename="([\x20-\x7e]*)"(?:; filename\*=UTF-8''([\x21-\x7e]+))?$/.exec(header) ?? [];
      const read = encoded === undefined ? ascii : decodeURIComponent(encoded);
      const isSame = read === name.normalize().toWellFormed() || /[\p{Cc}\p{Bidi_Control}/\\]/u.test(name);
      if (!isSame || !/^a[^/\\"%]*b$/.test(ascii)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test('contains no half of a character', () => {
    expect(contentDisposition('a\uD83C.mp4')).toBe(`attachment; filename="a_.mp4"; filename*=UTF-8''a%EF%BF%BD.mp4`);
  });

  test('is chosen by the browser if it is empty', () => {
    expect([contentDisposition(''), contentDisposition(' \n ')]).toEqual(['attachment', 'attachment']);
  });

  test('is shortened between characters', () => {
    const header = contentDisposition('é'.repeat(1_000));
    expect(header).toContain(`"${'e'.repeat(150)}"`);
    expect(header.endsWith("''" + '%C3%A9'.repeat(150))).toBe(true);
  });
});
