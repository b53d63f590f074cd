/** The types of pictures that every browser and every model that can see accepts. */
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export const isPictureType = (type: string): type is PictureType => (PICTURE_TYPES as readonly string[]).includes(type);

/** What each type's files begin with. SVG is missing on purpose: it is a document that may contain scripts and load other files. */
const SIGNATURES: readonly (readonly [type: PictureType, ...parts: (readonly [at: number, text: string])[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
];

/** The type of a picture by its content, whatever is said about it. Undefined if it is no PNG, JPEG, GIF or WebP. */
export function pictureTypeOf(body: Buffer): PictureType | undefined {
  return SIGNATURES.find(([, ...parts]) => parts.every(([at, text]) => body.toString('latin1', at, at + text.length) === text))?.[0];
}
