import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
/** The version that schemathesis needs; the other packages need less. */
const LEAST_MINOR = 10;

/** Whether there is a Python of version 3.10 or newer that can create environments. */
export function hasPython(): boolean {
  const { status, stdout } = spawnSync('python3', ['-c', 'import sys, venv; print(*sys.version_info[:2])'], {
    encoding: 'utf8',
  });
  if (status !== 0) return false;
  const [major = 0, minor = 0] = stdout.trim().split(' ').map(Number);
  return major === 3 && minor >= LEAST_MINOR;
}

/**
 * Returns the folder with the commands of an environment that has only the packages of `requirements`, each checked by its hash.
 * They are installed from PyPI once for each content of that file. Rejects when they cannot be installed.
 */
export async function pythonEnvironment(name: string, requirements: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const folder = join(CACHE, name, hash.slice(0, 16));
  const commands = join(folder, 'bin');
  const done = join(folder, 'installed');
  if (existsSync(done)) return commands;
  await rm(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(join(commands, 'python'), [...pip, '--require-hashes', '--requirement', requirements]);
  await writeFile(done, '');
  return commands;
}
