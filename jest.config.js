'use strict';

const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    // A package is loaded when it is first used: jest loads packages again for each test file.
    module: { type: 'commonjs', lazy: true },
  },
];

/**
 * Time limits only bound a failure, so they are generous and the same on any machine. Milliseconds. Jest ignores `testTimeout` of a project;
 * tools/test/environment.ts applies it.
 */
const MINUTE = 60_000;

const base = {
  testEnvironment: '<rootDir>/tools/test/environment.ts',
  transform: { '\\.ts$': swc },
  moduleNameMapper: {
    '^@classroom/(contracts|messaging|persistence|platform|http|sandbox|storage|testing)$': '<rootDir>/libs/$1/src/index.ts',
    '^@virtual-classroom/sdk$': '<rootDir>/libs/sdk/src/index.ts',
    // What a migration loads; the libraries themselves would take longer than the migration.
    '^@classroom/(messaging|persistence|platform)/([a-z-]+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/', '/.stack/', '/.stack-sandbox/', '/.toolchain/'],
};

/** `npm run test:long` runs tests in their long form, and only the projects that have such tests. */
const isLong = process.env.TEST_FORM === 'long';

/**
 * Tests of the long form alone. The short form of the upgrade is the comparison of all contracts, statements and migrations with the last
 * release in tools/contracts; the short form of the docs checks every page, link and call without running the commands. Short forms of the
 * webhooks' outage are in test/chaos/presence-traps.spec.ts and crashes.spec.ts.
 */
const LONG_ONLY = isLong ? [] : ['/test/docs/commands.spec.ts', '/test/upgrade/', '/test/chaos/webhook-outage.spec.ts'];

/** Tests of these rings that have a long form. */
const LONG_INTEGRATION = [
  'libs/messaging/test/soak',
  'libs/messaging/test/delivery',
  'apps/ai/test/isolation-and-faults',
  'apps/billing/test/{plans-and-cycles,every-minute-once}',
  'apps/media/test/uploads',
  'apps/organization/test/webhook-faults',
  'apps/recorder/test/recording',
  'apps/recording/test/{engine-events,engines,files,retention,watchdog}',
  'apps/room/test/{livekit-clock,media,presence}',
];
const LONG_SYSTEM = [
  'test/system/ai/{errors,isolation}',
  'test/system/{classroom,classroom-look,classroom-tutor,limits-over-gateways,metrics,polled-statements}',
  'test/system/recording-{api,conformance}',
  'test/system/video/{video,video-addresses,video-faults}',
];

/** Records a class in real time, so it needs the machine for itself: next to other tests it would lose frames that it checks. */
const IN_REAL_TIME = '/test/system/recording.spec.ts';

/**
 * Test projects by what they need: no I/O; real Postgres, NATS, Redis and LiveKit; the whole system; the chart, images and alerts; the
 * commands of the docs; the served API reference; an upgrade from the last release; the whole system with injected faults.
 */
module.exports = {
  projects: [
    {
      ...base,
      displayName: 'unit',
      testEnvironmentOptions: { testTimeout: 30_000 },
      testMatch: ['<rootDir>/{libs,apps}/*/src/**/*.spec.ts', '<rootDir>/{tools,test/bench}/**/*.spec.ts'],
      testPathIgnorePatterns: ['\\.it\\.spec\\.'],
    },
    {
      ...base,
      displayName: 'integration',
      testEnvironmentOptions: { testTimeout: 4 * MINUTE },
      testMatch: isLong
        ? LONG_INTEGRATION.map((file) => `<rootDir>/${file}.it.spec.ts`)
        : ['<rootDir>/{libs,apps}/*/{src,test}/**/*.it.spec.ts', '<rootDir>/tools/**/*.it.spec.ts'],
    },
    {
      ...base,
      displayName: 'system',
      testEnvironmentOptions: { testTimeout: 5 * MINUTE },
      testMatch: isLong ? LONG_SYSTEM.map((file) => `<rootDir>/${file}.spec.ts`) : ['<rootDir>/test/system/**/*.spec.ts'],
      testPathIgnorePatterns: [IN_REAL_TIME],
      globalSetup: '<rootDir>/tools/stack/shared/setup.ts',
      globalTeardown: '<rootDir>/tools/stack/shared/teardown.ts',
      setupFilesAfterEnv: ['<rootDir>/test/system/shared-stack.setup.ts'],
    },
    {
      ...base,
      displayName: 'deploy',
      testEnvironmentOptions: { testTimeout: 5 * MINUTE },
      testMatch: ['<rootDir>/test/deploy/**/*.spec.ts'],
    },
    {
      ...base,
      displayName: 'docs',
      testEnvironmentOptions: { testTimeout: 20 * MINUTE },
      testMatch: ['<rootDir>/test/docs/**/*.spec.ts'],
      testPathIgnorePatterns: LONG_ONLY,
    },
    {
      ...base,
      displayName: 'reference',
      testEnvironmentOptions: { testTimeout: 20 * MINUTE },
      testMatch: ['<rootDir>/test/reference/**/*.spec.ts'],
    },
    {
      ...base,
      displayName: 'upgrade',
      testEnvironmentOptions: { testTimeout: 20 * MINUTE },
      testMatch: ['<rootDir>/test/upgrade/**/*.spec.ts'],
      testPathIgnorePatterns: LONG_ONLY,
    },
    // Run by name, with an engine, a cluster and images: npm run check:compose and check:cluster.
    {
      ...base,
      displayName: 'cluster',
      testEnvironmentOptions: { testTimeout: 20 * MINUTE },
      testMatch: ['<rootDir>/test/cluster/**/*.spec.ts'],
    },
    {
      ...base,
      displayName: 'compose',
      testEnvironmentOptions: { testTimeout: 20 * MINUTE },
      testMatch: ['<rootDir>/test/compose/**/*.spec.ts'],
    },
    {
      ...base,
      displayName: 'chaos',
      testEnvironmentOptions: { testTimeout: 10 * MINUTE },
      testMatch: ['<rootDir>/test/chaos/**/*.spec.ts', `<rootDir>${IN_REAL_TIME}`],
      testPathIgnorePatterns: LONG_ONLY,
    },
  ],
};
