import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

/** @returns all apps and libraries of the repository */
export const packages = (): { name: string; src: string }[] =>
  ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => ({ name: `${group}/${name}`, src: join(ROOT, group, name, 'src') }))
      .filter(({ src }) => existsSync(src)),
  );
