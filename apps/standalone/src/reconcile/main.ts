import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { isReconcileUsage, reconcileCommand, restoredCommand } from '@fundrail/service-kit';
import { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import { readConfig } from '../config.ts';

const USAGE = `npm run reconcile                       has every service compare itself now, and waits
  -- --days 7                           what was changed in so many days (3)
  -- --settle 60                        seconds between the looks at what does not agree (60)
  -- --accept-lost-money                frees claims of payments that are lost, though a provider has money of them
  -- --last                             tells what the last run has found
npm run reconcile -- restored <service>  after its database was put back from a backup, before it is started`;

/** What clients' money and orders live in; the simulator plays the outside. */
const NAMES = SERVICES.filter((name) => name !== 'simulator');

/** The server of `DATABASE_URL`, or the embedded one of the product that runs on `DATA_DIR`; none where each service has a URL. */
async function environment(): Promise<Record<string, string | undefined>> {
  const hasOwn = NAMES.every((name) => process.env[`${name.toUpperCase()}_DATABASE_URL`]);
  if (hasOwn) return process.env;
  const config = readConfig(process.env);
  const url = config.databaseUrl ?? (await EmbeddedPostgres.urlOfRunning(config.dataDir));
  if (!url) throw new Error(`no database: start fundrail on DATA_DIR ${config.dataDir}, or set DATABASE_URL`);
  return { ...process.env, DATABASE_URL: url };
}

function named(service: string | undefined): ServiceName {
  const known = SERVICES.find((name) => name === service);
  if (!known) throw new Error(`which service was restored? one of ${NAMES.join(', ')}\n${USAGE}`);
  return known;
}

async function reconcile(args: readonly string[]): Promise<number> {
  if (!isReconcileUsage(args)) throw new Error(`usage:\n${USAGE}`);
  const env = await environment();
  const ends = await Promise.all(NAMES.map((name) => reconcileCommand({ name }, args, env)));
  for (const { line } of ends) console.log(line);
  return Math.max(...ends.map(({ code }) => code));
}

try {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'restored') {
    const { code, line } = await restoredCommand(
      { name: named(rest[0]) },
      rest.slice(1),
      await environment(),
    );
    console.log(line);
    process.exitCode = code;
  } else if (command === undefined || command.startsWith('--')) {
    process.exitCode = await reconcile(process.argv.slice(2));
  } else throw new Error(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
