import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sourcesOf } from './folders.ts';
import { packages, ROOT } from './sources.ts';

const WRITER = '@classroom/api-reference';

describe('what writes the API reference', () => {
  const others = packages().filter(({ name }) => name !== 'libs/api-reference');

  // A process would load its texts and samples, which take more memory than the contracts.
  it('is loaded by no process', () => {
    const manifests = others.map(({ name }) => join(ROOT, name, 'package.json')).filter((file) => existsSync(file));
    const files = [...others.flatMap(({ src }) => sourcesOf(src)), ...manifests];
    const found = files.filter((file) => readFileSync(file, 'utf8').includes(WRITER));
    expect(found.map((file) => relative(ROOT, file))).toEqual([]);
  });
});
