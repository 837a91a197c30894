import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import globalSetup from './global-setup.ts';

/** Builds first, because end-to-end tests run `dist`; then the same as for integration tests. */
export default async function globalSetupE2e(): Promise<void> {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../../tools/build.mjs', import.meta.url))]);
  await globalSetup();
}
