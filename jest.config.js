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
  // Decorators need it when a class is defined. Each app loads it first, too.
  setupFiles: [require.resolve('reflect-metadata')],
  transform: {
    '/libs/(api-reference|contracts|messaging|persistence|platform|http|sandbox|storage|testing)/src/index\\.ts$':
      '<rootDir>/tools/test/lazy-exports.cjs',
    '\\.ts$': swc,
  },
  moduleNameMapper: {
    '^@classroom/(api-reference|contracts|messaging|persistence|platform|http|sandbox|storage|testing)$': '<rootDir>/libs/$1/src/index.ts',
    '^@virtual-classroom/sdk$': '<rootDir>/libs/sdk/src/index.ts',
    // What a migration loads; the libraries themselves would take longer than the migration.
    '^@classroom/(messaging|persistence|platform)/([a-z-]+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // `npm run test:all` runs everything, each test in its long form. `npm test` leaves out the files of the long form.
  testPathIgnorePatterns: process.env.TEST_FORM === 'long' ? [] : ['\\.long\\.spec\\.ts$'],
  modulePathIgnorePatterns: ['/dist/', '/.stack/', '/.stack-sandbox/', '/.toolchain/'],
};

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
      testPathIgnorePatterns: ['\\.it(\\.long)?\\.spec\\.'],
    },
    {
      ...base,
      displayName: 'integration',
      testEnvironmentOptions: { testTimeout: 4 * MINUTE },
      testMatch: ['<rootDir>/{libs,apps}/*/{src,test}/**/*.it{,.long}.spec.ts', '<rootDir>/tools/**/*.it.spec.ts'],
    },
    {
      ...base,
      displayName: 'system',
      testEnvironmentOptions: { testTimeout: 5 * MINUTE },
      testMatch: ['<rootDir>/test/system/**/*.spec.ts'],
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
      testMatch: ['<rootDir>/test/chaos/**/*.spec.ts'],
    },
  ],
};
