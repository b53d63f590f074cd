import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';

const read = (pattern: string) =>
  globSync(pattern, { cwd: REPO }).map((file) => ({ file, text: readFileSync(path.join(REPO, file), 'utf8') }));
const matchesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** A property that is not defined makes its whole declaration invalid, which no browser reports. */
it('every custom property that a page’s styles use without a fallback is defined', () => {
  const styles = read('{apps,libs}/*/src/**/*.css');
  const scripts = read('{apps,libs}/*/src/**/*.{ts,tsx}');
  const defined = new Set([
    ...styles.flatMap(({ text }) => matchesIn(text, /(--[\w-]+)\s*:/g)),
    ...scripts.flatMap(({ text }) => matchesIn(text, /['"`](--[\w-]+)/g)),
  ]);
  const used = styles.flatMap(({ file, text }) => matchesIn(text, /var\((--[\w-]+)\s*\)/g).map((name) => ({ file, name })));
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter(({ name }) => !defined.has(name))).toEqual([]);
});
