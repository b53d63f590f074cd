import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/paths.ts';

describe('the order of test files', () => {
  test('names only files that exist', () => {
    const source = fs.readFileSync(path.join(REPO, 'tools', 'test', 'sequencer.ts'), 'utf8');
    const named = [...source.matchAll(/^ {2}'([^']+)',$/gm)].map(([, file]) => `${file}.spec.ts`);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !fs.existsSync(path.join(REPO, file)))).toEqual([]);
  });
});
