import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { filesInCircles, type Import, importsInCircles } from './folders.ts';
import { packages } from './sources.ts';

const describeImports = (src: string, imports: Import[]) =>
  imports.map(({ from, to }) => `${relative(src, from)} imports ${relative(src, to)}`);

describe('the folders of a package', () => {
  it.each(packages())('import in one direction: $name', ({ src }) => {
    expect(describeImports(src, importsInCircles(src))).toEqual([]);
    expect(filesInCircles(src).map((file) => relative(src, file))).toEqual([]);
  });

  it('are found to import each other', () => {
    const src = mkdtempSync(join(tmpdir(), 'folders-'));
    for (const folder of ['a', 'b']) mkdirSync(join(src, folder));
    writeFileSync(join(src, 'main.ts'), `import { one } from './a/one.js';\n`);
    writeFileSync(join(src, 'a', 'one.ts'), `import { two } from '../b/two.js';\nimport type { Config } from '../config.js';\n`);
    writeFileSync(join(src, 'a', 'other.ts'), `export { two } from '../b/two.js';\n`);
    writeFileSync(join(src, 'b', 'two.ts'), `import type {\n  One,\n} from '../a/one.js';\n`);
    expect(describeImports(src, importsInCircles(src))).toEqual([
      'a/one.ts imports b/two',
      'a/other.ts imports b/two',
      'b/two.ts imports a/one',
    ]);
    expect(
      filesInCircles(src)
        .map((file) => relative(src, file))
        .sort(),
    ).toEqual(['a/one.ts', 'b/two.ts']);
    rmSync(src, { recursive: true });
  });
});
