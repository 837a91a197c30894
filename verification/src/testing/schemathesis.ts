import { pythonEnvironment } from '@fundrail/testing';
import { spawn, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export { hasPython } from '@fundrail/testing';

export const TOOL = fileURLToPath(new URL('../../../tools/schemathesis', import.meta.url));

/** The command of schemathesis: the version of requirements.txt and what it needs. */
export async function schemathesis(): Promise<string> {
  return join(await pythonEnvironment('schemathesis', join(TOOL, 'requirements.txt')), 'schemathesis');
}

/** Runs it in that folder with our output, and returns its exit code. Ends it after `limitMs`, and returns null then. */
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
