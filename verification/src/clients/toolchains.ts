import { hasPython, pythonEnvironment, type Need } from '@fundrail/testing';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from './run-to-end.ts';

const PINNED = fileURLToPath(new URL('../../../tools/clients', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/clients', import.meta.url));
const LANGUAGES = ['TypeScript', 'Go', 'Python', 'Java'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(word: string): word is Language {
  return LANGUAGES.some((language) => language === word);
}

/** What generates and compiles the clients of one language, in the versions of `tools/clients`. */
interface Toolchain {
  /** What this machine lacks for it; null: nothing. npm comes with the product. */
  readonly missing: () => Need | null;
  /** Installs what is pinned, and makes it usable in that folder. Returns the folders that precede the PATH. */
  readonly prepare: (folder: string) => Promise<readonly string[]>;
}

export const TOOLCHAINS: Readonly<Record<Language, Toolchain>> = {
  TypeScript: {
    missing: () => null,
    prepare: async (folder) => {
      await symlink(await installedPackages(), join(folder, 'node_modules'));
      return [];
    },
  },
  Go: {
    missing: () => (answers('go', 'version', /go1\.(2[6-9]|[3-9]\d)/) ? null : 'Go'),
    prepare: async (folder) => {
      for (const file of ['go.mod', 'go.sum']) await copyFile(join(PINNED, file), join(folder, file));
      return [];
    },
  },
  Python: { missing: withoutGenerator, prepare: async () => [await pythonCommands()] },
  Java: {
    missing: () => withoutGenerator() ?? (answers('mvn', '--version', /Maven/) ? null : 'Java'),
    prepare: async () => [await pythonCommands()],
  },
};

/** The command of openapi-generator comes from PyPI and runs Java. */
function withoutGenerator(): Need | null {
  if (!hasPython()) return 'Python';
  return answers('java', '-version', /version "(1[7-9]|[2-9]\d)/) ? null : 'Java';
}

function pythonCommands(): Promise<string> {
  return pythonEnvironment('openapi-generator', join(PINNED, 'requirements.txt'));
}

function answers(program: string, question: string, expected: RegExp): boolean {
  const { stdout, stderr } = spawnSync(program, [question], { encoding: 'utf8' });
  return expected.test(`${stdout}${stderr}`);
}

/** The `node_modules` of the generators. They are installed once for each content of their lockfile. */
async function installedPackages(): Promise<string> {
  const files = ['package.json', 'package-lock.json'];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(join(PINNED, file)));
  const folder = join(CACHE, hash.digest('hex').slice(0, 16));
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const file of files) await copyFile(join(PINNED, file), join(folder, file));
    await runToEnd(`npm ci --prefix '${folder}' --ignore-scripts --no-audit --no-fund`, { cwd: folder });
    await writeFile(done, '');
  }
  return join(folder, 'node_modules');
}
