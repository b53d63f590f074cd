import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/paths.ts';
import { FIRST, GROUPS, IN_REAL_TIME } from './lanes.ts';

describe('the order of test files', () => {
  test('names only files that exist', () => {
    expect(FIRST.filter((file) => !fs.existsSync(path.join(REPO, `${file}.spec.ts`)))).toEqual([]);
  });

  test('has each file in one group: those in real time, a folder or the rest', () => {
    const groupsOf = (file: string) => GROUPS.flatMap((pattern, at) => (new RegExp(pattern).test(file) ? at : []));
    for (const name of IN_REAL_TIME) expect([name, groupsOf(`${name}.spec.ts`)]).toEqual([name, [0]]);
    const files = fs.globSync(['{libs,apps}/*/{src,test}/**/*.it.spec.ts', '{test,tools}/**/*.spec.ts'], { cwd: REPO });
    expect(files.filter((file) => groupsOf(file).length !== 1)).toEqual([]);
    expect(files.filter((file) => groupsOf(path.join(REPO, file)).length > 0)).toEqual([]);
    expect(groupsOf('test/system/video/video-faults.spec.ts')).toEqual([1]);
    expect(groupsOf('tools/stack/tls.it.spec.ts')).toEqual([GROUPS.length - 1]);
  });
});
