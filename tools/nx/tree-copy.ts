import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What builds, runs and Git leave behind. */
const LEFT = new Set(['node_modules', 'dist', '.nx', '.git', '.fundrail', 'coverage', 'tmp']);

/** A copy of this tree in a new folder. What is installed is linked; packages of ours are those of the copy, as `npm ci` would link them. */
export function copyOfTheTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'fundrail-copy-'));
  for (const name of readdirSync(ROOT).filter((entry) => !LEFT.has(entry)))
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (source) => !LEFT.has(basename(source)),
    });
  for (const folder of ['', '.bin']) {
    mkdirSync(join(copy, 'node_modules', folder), { recursive: true });
    for (const name of readdirSync(join(ROOT, 'node_modules', folder)))
      if (name !== '.bin' && name !== '@fundrail')
        symlinkSync(join(ROOT, 'node_modules', folder, name), join(copy, 'node_modules', folder, name));
  }
  mkdirSync(join(copy, 'node_modules/@fundrail'));
  for (const file of globSync('{apps/*,libs/*,verification,tools/generators}/package.json', { cwd: ROOT })) {
    linkPackage(copy, dirname(file));
    // Where versions differ, npm installs below the package.
    const own = join(dirname(file), 'node_modules');
    if (existsSync(join(ROOT, own))) symlinkSync(join(ROOT, own), join(copy, own));
  }
  return copy;
}

/** Links a package of the copy under its name, as `npm install` does. */
export function linkPackage(copy: string, folder: string): void {
  symlinkSync(join(copy, folder), join(copy, 'node_modules/@fundrail', basename(folder)));
}
