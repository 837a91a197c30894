import './global-setup.ts';
import { stopInfrastructure } from './infrastructure/test-infrastructure.ts';

/** Stops what the run started. */
export default async function globalTeardown(): Promise<void> {
  const started = await globalThis.fundrailTestInfrastructure;
  globalThis.fundrailTestInfrastructure = undefined;
  if (started) await stopInfrastructure(started);
}
