import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import globalSetup from './global-setup.ts';

/** As for integration tests, after a build: end-to-end tests run `dist`, and a stale one would test yesterday's code. */
export default async function globalSetupE2e(): Promise<void> {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../../tools/build.mjs', import.meta.url))]);
  await globalSetup();
}
