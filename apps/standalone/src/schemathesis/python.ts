import { execFile, spawn, type StdioOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
export const TOOL = join(ROOT, 'tools/schemathesis');
/** What schemathesis asks for. */
const LEAST_MINOR = 10;

/** Whether there is a Python that can run schemathesis. */
export async function hasPython(): Promise<boolean> {
  try {
    const { stdout } = await run('python3', ['-c', 'import sys, venv; print(*sys.version_info[:2])']);
    const [major = 0, minor = 0] = stdout.trim().split(' ').map(Number);
    return major === 3 && minor >= LEAST_MINOR;
  } catch {
    return false;
  }
}

/**
 * The command of schemathesis, in a folder of its own: the version of requirements.txt and what it needs, each by its hash.
 * Installed once for each requirements.txt.
 */
export async function schemathesis(): Promise<string> {
  const requirements = join(TOOL, 'requirements.txt');
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const folder = join(ROOT, 'node_modules/.cache/schemathesis', hash.slice(0, 16));
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    await rm(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(join(folder, 'bin/python'), [...pip, '--require-hashes', '--requirement', requirements]);
    await writeFile(done, '');
  }
  return join(folder, 'bin/schemathesis');
}

/** Runs it in that folder with its output as ours, and answers its exit code; ends it after `limitMs`, and answers null then. */
export function follow(
  command: string,
  args: readonly string[],
  { cwd, limitMs }: { readonly cwd: string; readonly limitMs: number },
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = ['ignore', 'inherit', 'inherit'];
    const child = spawn(command, [...args], { cwd, stdio, timeout: limitMs });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}
