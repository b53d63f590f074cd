const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** What each type's files begin with. SVG is missing on purpose: it is a document that may contain scripts and load other files. */
const SIGNATURES: readonly (readonly [type: string, at: number, bytes: Buffer][])[] = [
  [['image/png', 0, hex('89 50 4e 47 0d 0a 1a 0a')]],
  [['image/jpeg', 0, hex('ff d8 ff')]],
  [['image/gif', 0, Buffer.from('GIF87a')]],
  [['image/gif', 0, Buffer.from('GIF89a')]],
  [
    ['image/webp', 0, Buffer.from('RIFF')],
    ['image/webp', 8, Buffer.from('WEBP')],
  ],
];

/** The type of a picture by its content, whatever its server says. Undefined if it is no PNG, JPEG, GIF or WebP. */
export function pictureTypeOf(body: Buffer): string | undefined {
  const found = SIGNATURES.find((parts) => parts.every(([, at, bytes]) => body.subarray(at, at + bytes.length).equals(bytes)));
  return found?.[0]?.[0];
}
