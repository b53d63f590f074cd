import { createRequire } from 'node:module';
import path from 'node:path';
import type * as jest from '@jest/test-sequencer';
import { REPO } from '../stack/paths.ts';

/**
 * The files that run for a minute or more. They start first, so that no worker is left with one of them at the end of the run: a clean
 * clone has no record of earlier runs, and jest would start the largest files first.
 */
const SLOW = [
  'test/reference/schemathesis',
  'apps/recorder/test/recording.it',
  'test/system/recording',
  'test/chaos/rolling-captures',
  'test/system/polled-statements',
  'test/chaos/rolling-jobs',
  'test/system/page-outages',
  'test/system/video/video-hostile',
  'test/chaos/rolling-restart',
  'apps/recording/test/watchdog.it',
  'apps/recording/test/retention.it',
  'apps/room/test/presence.it',
  'test/chaos/crashes',
  'test/system/embed',
  'libs/testing/test/livekit-conformance.it',
  'test/system/classroom',
  'test/system/classroom-tutor',
  'test/system/page',
  'apps/ai/test/isolation-and-faults.it',
  'test/system/ai/errors',
  'apps/room/test/outage.it',
  'apps/media/test/uploads.it',
  'apps/media/test/delivery.it',
  'test/system/metrics',
  'test/chaos/full-disk',
  'apps/room/test/large-numbers.it',
];

// The package's types describe its CommonJS build.
const { default: TestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof jest.default;

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

const rank = ({ path: file }: Tests[number]) => {
  const place = SLOW.indexOf(path.relative(REPO, file).replace(/\.spec\.ts$/, ''));
  return place === -1 ? SLOW.length : place;
};

/** Sorts test files: the slow ones first, then the others as jest does. */
export default class SlowFilesFirst extends TestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    return [...(await super.sort(tests))].toSorted((a, b) => rank(a) - rank(b));
  }
}
