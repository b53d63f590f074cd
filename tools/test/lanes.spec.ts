import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/paths.ts';
import { FIRST, IN_REAL_TIME, PATTERNS } from './lanes.ts';

describe('the order of test files', () => {
  test('names only files that exist', () => {
    expect(FIRST.filter((file) => !fs.existsSync(path.join(REPO, `${file}.spec.ts`)))).toEqual([]);
  });

  test('has a lane for the files in real time and what follows them, and one for all others', () => {
    const [oneByOne, others] = [new RegExp(PATTERNS.oneByOne), new RegExp(PATTERNS.others)];
    for (const file of [
      ...IN_REAL_TIME.map((name) => `${name}.spec.ts`),
      'test/deploy/table.spec.ts',
      'apps/organization/test/api-keys.it.spec.ts',
    ])
      expect([oneByOne.test(file), others.test(file)]).toEqual([true, false]);
    for (const file of ['test/system/api.spec.ts', 'test/system/video/video-faults.spec.ts', 'apps/room/test/media.it.spec.ts']) {
      expect([oneByOne.test(file), others.test(file)]).toEqual([false, true]);
    }
  });
});
