// Compiles every package's sources with swc in one process. Type checking is `npm run typecheck`, and no build needs it.
// `node tools/build.mjs libs/contracts` compiles one package only.
// A process may start from `dist` during a build: each file is replaced in one step, only if it changed, and none is missing in between.
import { transformFile } from '@swc/core';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf, isOfProduct, joinPackages, withJoined } from './joined-packages.mjs';
import { joinSources } from './joined-sources.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const options = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
delete options.$schema;

const packages = process.argv[2]
  ? [process.argv[2]]
  : globSync(['{apps,libs}/*', 'verification'], { cwd: root });
const filesOf = (pattern) =>
  packages
    .flatMap((name) => globSync(`${name}/${pattern}`, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const built = new Set();
function put(target, content) {
  built.add(target);
  try {
    if (readFileSync(target).equals(content)) return;
  } catch {
    mkdirSync(dirname(target), { recursive: true });
  }
  const partial = `${target}.${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, target);
}

const targetOf = (source) => source.replace('/src/', '/dist/');
const compiled = await Promise.all(
  filesOf('src/**/*.ts')
    .filter((file) => !file.endsWith('.spec.ts'))
    .map(async (file) => {
      const target = targetOf(file).replace(/\.ts$/, '.js');
      return { target, ...(await transformFile(file, { ...options, swcrc: false })) };
    }),
);
const inTree = (target) => relative(root, target).replaceAll('\\', '/');
const imports = importsOf(compiled.map(({ target, code }) => [inTree(target), code]));
const joined = await joinPackages(root, imports, put);
const written = packages.map((name) => {
  const files = compiled.filter(({ target }) => inTree(target).startsWith(`${name}/`));
  return files.length > 0 && isOfProduct(`${name}/`) ? joinSources(join(root, name), files) : files;
});
for (const { target, code, map } of (await Promise.all(written)).flat()) {
  const linked = withJoined(code, inTree(target), joined);
  put(target, Buffer.from(map ? `${linked}\n//# sourceMappingURL=${basename(target)}.map\n` : linked));
  if (map) put(`${target}.map`, Buffer.from(map));
}
// Files that are served as they are (pages, styles) stand in src/assets and are copied.
for (const file of filesOf('src/assets/**')) put(targetOf(file), readFileSync(file));
// The guides are pages made from docs/, and the standalone serves them.
if (packages.includes('apps/standalone')) {
  const { guideFiles } = await import('./guides/guide-files.ts');
  for (const [name, content] of guideFiles()) put(join(root, 'apps/standalone/dist/guides', name), content);
}
// What no source makes any more goes last.
for (const file of filesOf('dist/**')) if (!built.has(file)) rmSync(file, { force: true });
