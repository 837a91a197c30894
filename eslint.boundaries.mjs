// Who may import whom (architecture, "Dependency rules, by lint"). A later ESLint block replaces a rule for a file and
// does not add to it, so every file is in exactly one block, with everything that holds for it: a block for each
// package's sources, for its specs, and for its pure files.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mayImport } from './tools/nx/layers.mjs';

/** Outside libraries that are kept out of some packages. */
const RESERVED = [
  {
    regex: '^kafkajs($|/)',
    isAllowedIn: (name) => name === 'messaging',
    message: 'kafkajs stays inside libs/messaging, so that replacing it changes two files.',
  },
  {
    regex: '^(typeorm|@nestjs/typeorm)($|/)',
    isAllowedIn: (name) => !['contracts', 'policies', 'state-machines', 'providers'].includes(name),
    message: 'contracts, policies, state-machines and providers know no database.',
  },
  {
    regex: '^@nestjs/',
    isAllowedIn: (name) => !['contracts', 'policies', 'state-machines'].includes(name),
    message: 'contracts, policies and state-machines know no Nest: a browser or an SDK can import them.',
  },
];

const OUT_OF_THE_PACKAGE = {
  regex: '^\\.\\./(\\.\\./)*((apps|libs)/|verification/src/)',
  message: 'Another package is imported by its name, through its exports.',
};

/** What a folder of a service may not import from another one of the same service. */
const APART = [
  {
    folder: 'apps/payments/src/payment',
    regex: '^(\\.\\./)+collection/',
    message: 'Payments knows money, and not how it is asked for.',
  },
];

/** What a pure decision may name the types of, but not use. */
const IMPURE_MODULES = {
  regex:
    '^(node:|@nestjs/|(typeorm|pg|kafkajs|undici)($|/)|@fundrail/(messaging|persistence|service-kit)($|/)|\\..*\\.(tables?|repository|controller|consumer|module)\\.ts$)',
  allowTypeImports: true,
  message: 'A pure decision uses no Nest, TypeORM, node:* or I/O; import type is welcome.',
};

const IMPURE_EXPRESSIONS = [
  ['NewExpression[callee.name="Date"][arguments.length=0]', 'The time is given to a decision (now).'],
  ['CallExpression[callee.name="Date"]', 'The time is given to a decision (now).'],
  [
    'MemberExpression[object.name=/^(Date|performance)$/][property.name="now"]',
    'The time is given to a decision (now).',
  ],
  ['MemberExpression[object.name="Temporal"][property.name="Now"]', 'The time is given to a decision (now).'],
  [
    'MemberExpression[object.name="Math"][property.name="random"]',
    'Chance is given to a decision (an id, a draw).',
  ],
  ['Identifier[name="crypto"]', 'Chance is given to a decision (an id, a draw).'],
  [
    'MemberExpression[object.name="process"]',
    'Variables are parsed once, in config.ts, and given to a decision.',
  ],
  [
    'CallExpression[callee.name=/^(fetch|setTimeout|setInterval|setImmediate)$/]',
    'A decision waits for nothing.',
  ],
].map(([selector, message]) => ({ selector, message }));

/** Specs, and what stands beside them for them: builders, conformance suites. */
const specsOf = (folder) => [`${folder}/src/**/*.spec.ts`, `${folder}/src/**/testing/**/*.ts`];

/** The folders that the blocks are made from: libraries, and for each app the folders of its aggregates, two levels deep. */
export function readTree(root = import.meta.dirname) {
  const foldersIn = (path) =>
    readdirSync(join(root, path), { withFileTypes: true, recursive: false })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  const sourcesOf = (app) => {
    if (!foldersIn(join('apps', app)).includes('src')) return [];
    const folders = foldersIn(join('apps', app, 'src'));
    const within = (folder) =>
      foldersIn(join('apps', app, 'src', folder)).map((inner) => `${folder}/${inner}`);
    return [...folders, ...folders.flatMap(within)];
  };
  return {
    libs: foldersIn('libs'),
    apps: Object.fromEntries(foldersIn('apps').map((app) => [app, sourcesOf(app)])),
  };
}

/** The boundary rules of such a tree as an ESLint configuration; `tools/boundaries.spec.ts` proves that each fires. */
export function boundariesOf({ libs, apps }) {
  return [
    ...libs.flatMap((name) => blocksOf(`libs/${name}`, name, pureFilesOfLibrary(name))),
    ...Object.entries(apps).flatMap(([name, folders]) =>
      blocksOf(`apps/${name}`, name, pureFilesOfApp(name, folders)),
    ),
    ...blocksOf('verification', 'verification', []),
  ];

  function blocksOf(folder, name, pure) {
    const mayUse = mayImport(folder, { libs, apps: Object.keys(apps) });
    const outside = RESERVED.filter(({ isAllowedIn }) => !isAllowedIn(name)).map(toPattern);
    const inSources = [...outside, OUT_OF_THE_PACKAGE, onlyOurs(mayUse)];
    // Specs may import every library, but not another service.
    const inSpecs = [...outside, OUT_OF_THE_PACKAGE, onlyOurs([...libs, ...mayUse])];
    const specs = specsOf(folder);
    const apart = APART.filter((one) => one.folder.startsWith(`${folder}/`));
    const elsewhere = apart.map((one) => `${one.folder}/**/*.ts`);
    return [
      ...blocksOfSources(folder, `${folder}/src`, elsewhere, inSources),
      ...apart.flatMap((one) => blocksOfSources(one.folder, one.folder, [], [...inSources, toPattern(one)])),
      block(`${folder} specs`, specs, [], inSpecs),
    ];

    function blocksOfSources(place, root, ignores, patterns) {
      const files = [`${root}/**/*.ts`];
      const isElsewhere = (path) =>
        apart.some((one) => one.folder !== place && path.startsWith(`${one.folder}/`));
      const own = pure
        .map((path) => path.replace(`${folder}/src/**`, `${root}/**`))
        .filter((path) => path.startsWith(`${root}/`) && !isElsewhere(path));
      return [
        block(`${place} sources`, files, [...specs, ...pure, ...ignores], patterns),
        ...(own.length > 0
          ? [
              block(
                `${place} pure`,
                own,
                [...specs, ...ignores],
                [...patterns, IMPURE_MODULES],
                IMPURE_EXPRESSIONS,
              ),
            ]
          : []),
      ];
    }
  }
}

/** `<aggregate>/<aggregate>.ts` and the tables of machines; standalone only runs the others and has no aggregates. */
function pureFilesOfApp(name, folders) {
  if (name === 'standalone') return [];
  return [
    `apps/${name}/src/**/*.machine.ts`,
    ...folders.map((folder) => `apps/${name}/src/${folder}/${basename(folder)}.ts`),
  ];
}

function pureFilesOfLibrary(name) {
  return ['policies', 'state-machines'].includes(name) ? [`libs/${name}/src/**/*.ts`] : [];
}

function toPattern({ regex, message }) {
  return { regex, message };
}

function onlyOurs(names) {
  const allowed = names.length > 0 ? names.join('|') : '(?!)';
  return {
    regex: `^@fundrail/(?!(${allowed})($|/))`,
    message: `Not allowed here; of our packages only: ${names.join(', ') || 'none'}.`,
  };
}

/** `import()` is not seen by `no-restricted-imports`, so every pattern is also written as a selector. */
function block(name, files, ignores, patterns, expressions = []) {
  const dynamic = patterns.map(({ regex, message }) => ({
    selector: `ImportExpression > Literal[value=/${regex.replaceAll('/', '\\/')}/]`,
    message,
  }));
  return {
    name: `boundaries: ${name}`,
    files,
    ignores,
    rules: {
      'no-restricted-imports': ['error', { patterns }],
      'no-restricted-syntax': ['error', ...dynamic, ...expressions],
    },
  };
}

export const boundaries = boundariesOf(readTree());
