import type { DOCUMENT_TYPES, MAX_DOCUMENT_BYTES } from '@classroom/contracts';

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const MAX_BYTES: typeof MAX_DOCUMENT_BYTES = 104_857_600;

const TYPES: Readonly<Record<string, DocumentType>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odp: 'application/vnd.oasis.opendocument.presentation',
};

/** For a file input. */
export const ACCEPTED = Object.keys(TYPES)
  .map((ending) => `.${ending}`)
  .join();

type Named = Pick<File, 'name' | 'type'>;

/** By what the browser says, otherwise by its name: a browser knows the types of the programs that are installed. */
export function typeOf({ name, type }: Named): DocumentType | undefined {
  const known = Object.values(TYPES).find((one) => one === type);
  return known ?? TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
}

export const isPicture = (file: Named): boolean => typeOf(file)?.startsWith('image/') ?? false;

const MAX_TITLE = 256;

/** The name without its ending. */
export function titleOf({ name }: Named): string {
  const title = name.replace(/\.[^.]*$/, '').trim() || name;
  return [...title].slice(0, MAX_TITLE).join('') || '–';
}
