// Compiles every package's sources with swc in one process. Type checking is `npm run typecheck`, and no build needs it.
// `node tools/build.mjs libs/contracts` compiles one package only.
import { transformFile } from '@swc/core';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const options = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
delete options.$schema;

const packages = process.argv[2] ? [process.argv[2]] : globSync('{apps,libs}/*', { cwd: root });
for (const name of packages) rmSync(join(root, name, 'dist'), { recursive: true, force: true });

const sources = packages
  .flatMap((name) => globSync(`${name}/src/**/*.ts`, { cwd: root }))
  .filter((file) => !file.endsWith('.spec.ts'));
await Promise.all(
  sources.map(async (file) => {
    const target = join(root, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
    const { code, map } = await transformFile(join(root, file), { ...options, swcrc: false });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, map ? `${code}\n//# sourceMappingURL=${target.split('/').pop()}.map\n` : code);
    if (map) writeFileSync(`${target}.map`, map);
  }),
);
// Files that are served as they are (pages, styles) stand in src/assets and are copied.
for (const name of packages) {
  const assets = join(root, name, 'src/assets');
  if (existsSync(assets)) cpSync(assets, join(root, name, 'dist/assets'), { recursive: true });
}
