import './global-setup.ts';

/** Ends the run's PostgreSQL if the run started it. */
export default async function globalTeardown(): Promise<void> {
  const started = globalThis.fundrailTestServer;
  globalThis.fundrailTestServer = undefined;
  await (await started)?.stop();
}
