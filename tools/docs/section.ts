import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';

/** @returns the page with the text between `<!-- name: … -->` and `<!-- /name -->` @throws if the page has no such place */
export function withSection(page: string, name: string, text: string): string {
  const marks = new RegExp(`(<!-- ${name}: .* -->\n)[^]*?(<!-- /${name} -->)`);
  if (!marks.test(page)) throw new Error(`the page has no place for the ${name}`);
  return page.replace(marks, (_, begin: string, end: string) => `${begin}${text}${end}`);
}

/** Writes the text between the marks of a page. @param file path in the repository */
export function writeSection(file: string, name: string, text: string): void {
  const page = path.join(REPO, file);
  fs.writeFileSync(page, withSection(fs.readFileSync(page, 'utf8'), name, text));
}

/** Ends this process with 1 and a message if a page does not have the text between its marks. */
export function compareSection(file: string, name: string, text: string): void {
  const page = fs.readFileSync(path.join(REPO, file), 'utf8');
  if (withSection(page, name, text) === page) return;
  process.stderr.write(`The ${name} of ${file} are not those of the code: npm run generate -- tables\n`);
  process.exitCode = 1;
}
