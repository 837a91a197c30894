import tseslint from 'typescript-eslint';
import { boundaries } from './eslint.boundaries.mjs';

/** Files that are run and looked at by people: their output is the terminal. */
const SPEAKS = [
  'tools/**',
  'bench/**',
  'apps/standalone/src/**',
  'verification/src/**',
  'libs/testing/src/**',
  '**/*.spec.ts',
];

export default [
  {
    name: 'not ours to lint',
    ignores: ['**/dist/', '**/.nx/', '.fundrail/', 'coverage/', 'tmp/', '**/src/assets/', 'bench/baseline/'],
  },
  { name: 'comments that switch a rule off', linterOptions: { reportUnusedDisableDirectives: 'error' } },

  ...[...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked].map((block) => ({
    ...block,
    files: ['**/*.ts', '**/*.mts'],
  })),
  {
    name: 'typescript',
    files: ['**/*.ts', '**/*.mts'],
    languageOptions: {
      // One program for the tree: a third of the time and memory of `projectService`, which makes one a package.
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Nest's modules are classes without members; zod and SQL rows read better as `type`; the rest argues about taste.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // A column is copied with one part changed, and a decision of the specs copies instances.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `return reply.send(…)` ends a function early, and `() => void work()` does not wait.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // An empty environment variable or form field counts as missing.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      // A callback may return void or a promise of void.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // A `switch` over a union names every case, or has a default for the others.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    name: 'sizes',
    files: ['{apps/*,libs/*,verification}/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: { 'max-lines': ['error', 300], 'max-lines-per-function': ['error', 70], 'no-console': 'error' },
  },
  { name: 'may print', files: SPEAKS, rules: { 'no-console': 'off' } },
  {
    name: 'runs under type stripping',
    files: ['libs/{contracts,policies,state-machines}/src/**/*.ts', 'tools/**/*.ts'],
    rules: { '@typescript-eslint/parameter-properties': ['error', { prefer: 'class-property' }] },
  },
  {
    name: 'numbers that cross a process',
    files: ['libs/contracts/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'z',
          property: 'number',
          message:
            'parseJson returns numbers that are not integers as JsonNumber: use z.int(), or a decimal.',
        },
      ],
    },
  },
  {
    name: 'specs',
    files: ['**/*.spec.ts'],
    rules: {
      // Jest's matchers (`expect.any`, `expect.objectContaining`) are typed `any`, and a spec may know what is there.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { ...tseslint.configs.disableTypeChecked, files: ['**/*.mjs', '**/*.d.mts'] },
  { name: 'scripts', files: ['**/*.mjs'], rules: { 'no-unused-vars': 'error', eqeqeq: 'error' } },

  ...boundaries,
];
