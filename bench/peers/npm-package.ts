import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

const folderOf = (name: string) => fileURLToPath(new URL(`${name}/`, import.meta.url));

/** The version of a peer that is installed in its own folder; null when none is. */
export function installedVersion(name: string): string | null {
  return fieldOf(`${folderOf(name)}node_modules/${name}/package.json`, 'version');
}

/**
 * Installs a peer with all that its lock names into its own folder, which is no part of the product, unless it is there. Returns
 * what is missing for that, or null.
 */
export async function installPeer(name: string): Promise<string | null> {
  const wanted = fieldOf(`${folderOf(name)}package.json`, 'version');
  if (installedVersion(name) === wanted) return null;
  try {
    await promisify(execFile)('npm', ['ci', '--prefix', folderOf(name), ...FLAGS]);
    return null;
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT')
      return 'npm is needed to install it, and there is no npm in the PATH';
    const [line = ''] = String(Reflect.get(Object(error), 'stderr'))
      .trim()
      .split('\n');
    return `npm could not install it: ${line}`;
  }
}

function fieldOf(file: string, field: string): string | null {
  try {
    const value: unknown = Reflect.get(Object(JSON.parse(readFileSync(file, 'utf8'))), field);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
