import type { ServiceName } from '@fundrail/contracts';
import { withPresentNames, type Environment } from '@fundrail/service-kit';
import { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import { readConfig } from './config.ts';

/**
 * The environment in which a command finds the databases of these services: each one's own URL, the server of `DATABASE_URL`, or
 * the embedded one of the product that runs on `DATA_DIR`. Throws when there is none.
 */
export async function withDatabaseUrls(services: readonly ServiceName[]): Promise<Environment> {
  const env = withPresentNames(process.env);
  if (services.every((name) => env[`${name.toUpperCase()}_DATABASE_URL`])) return env;
  const { databaseUrl, dataDir } = readConfig(env);
  const url = databaseUrl ?? (await EmbeddedPostgres.urlOfRunning(dataDir));
  if (!url) throw new Error(`no database: start fundrail on DATA_DIR ${dataDir}, or set DATABASE_URL`);
  return { ...env, DATABASE_URL: url };
}
