import { groupsOf } from './lanes.ts';

const FILM = '/**\n * Films.\n * @lane real-time\n */\nimport a from "b";\n';

describe('the groups of test files', () => {
  it('have every file once: those whose docblock names the lane first, the others by folder', () => {
    const sources: Record<string, string> = {
      'libs/messaging/test/delivery.it.spec.ts': '',
      'test/system/class.spec.ts': '/** The class. */\nconst lane = "@lane real-time";',
      'apps/recorder/test/recording.it.spec.ts': FILM,
      'test/system/page.spec.ts': FILM,
      'tools/stack/tls.it.spec.ts': '',
      'libs/storage/test/storage.it.spec.ts': '',
    };
    expect(groupsOf(Object.keys(sources), (file) => sources[file] ?? '')).toEqual([
      ['apps/recorder/test/recording.it.spec.ts', 'test/system/page.spec.ts'],
      ['test/system/class.spec.ts'],
      ['libs/messaging/test/delivery.it.spec.ts'],
      ['libs/storage/test/storage.it.spec.ts'],
      ['tools/stack/tls.it.spec.ts'],
    ]);
  });
});
