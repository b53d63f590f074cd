import { createRequire } from 'node:module';
import path from 'node:path';
import type * as jest from '@jest/test-sequencer';
import { REPO } from '../stack/paths.ts';
import { FIRST } from './lanes.ts';

// The package's types describe its CommonJS build.
const { default: TestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof jest.default;

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

const rank = ({ path: file }: Tests[number]) => {
  const place = FIRST.indexOf(path.relative(REPO, file).replace(/\.spec\.ts$/, ''));
  return place === -1 ? FIRST.length : place;
};

/** Sorts test files: those of FIRST in their order, then the others as jest does. */
export default class SlowFilesFirst extends TestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    return [...(await super.sort(tests))].toSorted((a, b) => rank(a) - rank(b));
  }
}
