import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const REFERENCE = join(__dirname, '..', '..', '..', 'docs', 'reference');

interface Document {
  paths: Record<string, Record<string, { 'x-codeSamples'?: { lang: string; source: string }[] }>>;
}

/** The samples of both references in a language, as they are printed. */
export function samplesIn(language: 'TypeScript' | 'Python'): string[] {
  const documents = ['openapi.json', 'openapi.internal.json'].map(
    (name) => JSON.parse(readFileSync(join(REFERENCE, name), 'utf8')) as Document,
  );
  return documents.flatMap(({ paths }) =>
    Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap((operation) => operation['x-codeSamples'] ?? [])
      .filter(({ lang }) => lang === language)
      .map(({ source }) => source),
  );
}
