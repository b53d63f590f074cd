import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;

/** @returns the source with its comments as spaces, so that every line keeps its number */
export const withoutComments = (source: string): string => source.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' '));

/** @returns the lines of all comments of a source */
export const commentsIn = (source: string): { line: number; text: string }[] =>
  [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const first = source.slice(0, index).split('\n').length;
    return comment.split('\n').map((text, at) => ({ line: first + at, text }));
  });

/** Files that a command writes, and releases as they were: not measured, not checked as prose. `.oxfmtrc.json` has them too. */
const GENERATED = [
  /^libs\/contracts\/released\//,
  /^libs\/sdk\/src\/(?:schema|entities|resources|admin)\.ts$/,
  /^apps\/classroom\/src\/session\/routes\.ts$/,
  /^apps\/console\/src\/api\/routes\.ts$/,
  /\/schema\/sql\.ts$/,
];

/** @param file path in the repository */
export const isGenerated = (file: string): boolean => GENERATED.some((pattern) => pattern.test(file));

export const ROOT = join(import.meta.dirname, '..', '..');

/** @returns all apps and libraries of the repository */
export const packages = (): { name: string; src: string }[] =>
  ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => ({ name: `${group}/${name}`, src: join(ROOT, group, name, 'src') }))
      .filter(({ src }) => existsSync(src)),
  );
