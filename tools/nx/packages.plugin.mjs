// Gives each package below apps/ and libs/, and verification, its Nx targets and tags, so that no package.json repeats them.
// The order of targets is in nx.json. Nx loads a plugin as plain JavaScript.
import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { layerOf } from './layers.mjs';

/** The levels of tests, and the suffix of their files. Unit specs are those with no other suffix. */
const LEVELS = { unit: '.spec.ts', int: '.int.spec.ts', e2e: '.e2e.spec.ts' };

/**
 * What a check of a package reads: its files, those of all that it is made of, and the libraries that its specs may import. No manifest of a library or an app
 * names these, because `libs/testing` is itself made of libraries whose specs import it.
 */
const CHECKED = {
  cache: true,
  inputs: [
    'default',
    '^default',
    {
      input: 'default',
      projects: [
        'testing',
        'service-kit',
        'providers',
        'messaging',
        'persistence',
        'state-machines',
        'policies',
        'contracts',
      ].map((name) => `@fundrail/${name}`),
    },
    // Specs of the product read compose and the Dockerfile.
    '{workspaceRoot}/docker/**/*',
  ],
};

/** Pages that the build of a package makes besides its sources (`documents` of nx.json): the guides, which the standalone serves. */
const DOCUMENTS = {
  'apps/standalone': [
    ...['docs', 'tools/guides'].map((folder) => `{workspaceRoot}/${folder}/**/*`),
    '{workspaceRoot}/CHANGELOG.md',
  ],
};

const inRoot = (command) => ({ command, options: { cwd: '{workspaceRoot}' } });

const jest = (level, folder) =>
  inRoot(`npm run --silent jest -- --selectProjects ${level} --testPathPatterns ${folder}/`);

function hasSpecs(level, folder) {
  const isOfLevel = (file) =>
    file.endsWith(LEVELS[level]) && (level !== 'unit' || !/\.(int|e2e)\.spec\.ts$/.test(file));
  return globSync('**/*.spec.ts', { cwd: folder }).some(isOfLevel);
}

function testsOf(folder, root, sources) {
  const levels = Object.keys(LEVELS).filter((level) => hasSpecs(level, join(root, sources)));
  return Object.fromEntries(
    levels.map((level) => [`test:${level}`, { ...(level === 'unit' && CHECKED), ...jest(level, folder) }]),
  );
}

/** What runs by itself: a server from the built files, and an image of it. */
function runnable(folder, root) {
  if (!existsSync(join(root, folder, 'src/main.ts'))) return {};
  const name = basename(folder);
  const stage = layerOf(folder) === 'product' ? `--target ${name}` : `--build-arg APP=${name}`;
  const pinned = '$(npm run --silent images -- build-args)';
  return {
    serve: { ...inRoot(`node ${folder}/dist/main.js`), continuous: true },
    docker: inRoot(`docker build -f docker/Dockerfile ${pinned} ${stage} -t fundrail/${name}:dev .`),
  };
}

function packageOf(folder, root) {
  return {
    root: folder,
    tags: [`layer:${layerOf(folder)}`],
    projectType: folder.startsWith('libs/') ? 'library' : 'application',
    ...(folder in DOCUMENTS && { namedInputs: { documents: DOCUMENTS[folder] } }),
    targets: {
      build: inRoot(`node tools/build.mjs ${folder}`),
      typecheck: { ...CHECKED, ...inRoot(`tsc -p ${folder}/tsconfig.json`) },
      lint: { ...CHECKED, ...inRoot(`eslint ${folder}`) },
      ...testsOf(folder, root, join(folder, 'src')),
      ...runnable(folder, root),
    },
  };
}

/** @type {import('nx/src/project-graph/plugins').CreateNodesV2} */
export const createNodesV2 = [
  '{apps/*,libs/*,verification}/package.json',
  (files, _options, { workspaceRoot }) =>
    files.map((file) => {
      const folder = dirname(file);
      return [file, { projects: { [folder]: packageOf(folder, workspaceRoot) } }];
    }),
];
