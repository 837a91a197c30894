import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setSizes } from './tools/jest/sizes.ts';

setSizes(process.env);

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
delete swc.$schema;
// Jest resolves the `.ts` imports itself; only the build rewrites them to `.js`.
swc.jsc.rewriteRelativeImportExtensions = false;

const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  modulePathIgnorePatterns: ['/dist/'],
  testEnvironment: '<rootDir>/tools/jest/worker-realm.environment.mjs',
  runtime: '<rootDir>/tools/jest/shared-packages.runtime.mjs',
  testEnvironmentOptions: { customExportConditions: ['@fundrail/source', 'node', 'node-addons'] },
};

/** Level, suffix and infrastructure of each project: unit needs nothing, int real PostgreSQL, e2e the built product. */
export default {
  // Node does not free all modules of a finished suite (vm modules): 246 suites in one process exceeded Node's 4 GB.
  // A worker above this limit after a suite is replaced by a new one; the setting also keeps the suites out of Jest's own process.
  workerIdleMemoryLimit: '1500MB',
  // Half of an integration suite's time is waiting for PostgreSQL, so two share one core well; Jest's own choice on two cores is one.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  reporters: ['default', '<rootDir>/tools/closing-line.reporter.mjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{apps/*,libs/*,verification}/src/**/!(*.int|*.e2e).spec.ts',
        '<rootDir>/tools/**/!(*.int|*.e2e).spec.ts',
      ],
      // Some talk over sockets and wait for time-outs. Jest's own limit of 5 s would end them on a machine that stands still for some seconds.
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/long-timeout.ts'],
    },
    {
      ...shared,
      displayName: 'int',
      testMatch: [
        '<rootDir>/{apps/*,libs/*,verification}/src/**/*.int.spec.ts',
        '<rootDir>/tools/**/*.int.spec.ts',
      ],
      globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
      globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/long-timeout.ts'],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/{apps/*,verification}/src/**/*.e2e.spec.ts'],
      globalSetup: '<rootDir>/libs/testing/src/global-setup-e2e.ts',
      globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/long-timeout.ts'],
    },
  ],
};
