import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientRecipe } from './client-recipes.ts';
import { runToEnd } from './run-to-end.ts';
import { TOOLCHAINS } from './toolchains.ts';

const DOCUMENT = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));

/**
 * Follows a section of docs/clients.md in a new folder: generates the client from docs/openapi.json, compiles it, and runs the
 * program of the section against the product at `baseUrl`. Returns what was printed. Rejects with the output of what failed.
 */
export async function makeClient(
  { language, script, program }: ClientRecipe,
  baseUrl: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fundrail-client-'));
  try {
    await copyFile(DOCUMENT, join(folder, 'openapi.json'));
    const commands = await TOOLCHAINS[language].prepare(folder);
    if (program) await writeFile(join(folder, program.file), program.text);
    const PATH = [...commands, process.env['PATH']].join(delimiter);
    return await runToEnd(script, { cwd: folder, env: { PATH, BASE: baseUrl } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
