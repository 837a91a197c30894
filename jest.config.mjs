import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
delete swc.$schema;
// Jest resolves the `.ts` imports itself; only the build rewrites them to `.js`.
swc.jsc.rewriteRelativeImportExtensions = false;

const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  modulePathIgnorePatterns: ['/dist/'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@fundrail/source', 'node', 'node-addons'] },
};

/** Level, suffix and infrastructure of each project: unit needs nothing, int real PostgreSQL, e2e the built product. */
export default {
  // Modules of a suite that ended are not all given back (Node's vm modules): 246 suites in one process ran out of Node's 4 GB.
  // A worker that holds more than this after a suite is replaced by a new one; it also keeps the suites out of Jest's own process.
  workerIdleMemoryLimit: '1500MB',
  reporters: ['default', '<rootDir>/tools/closing-line.reporter.mjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{apps,libs}/*/src/**/!(*.int|*.e2e).spec.ts',
        '<rootDir>/tools/**/!(*.int|*.e2e).spec.ts',
      ],
    },
    {
      ...shared,
      displayName: 'int',
      testMatch: ['<rootDir>/{apps,libs}/*/src/**/*.int.spec.ts'],
      globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
      globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/long-timeout.ts'],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/apps/*/src/**/*.e2e.spec.ts'],
      globalSetup: '<rootDir>/libs/testing/src/global-setup-e2e.ts',
      globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/long-timeout.ts'],
    },
  ],
};
