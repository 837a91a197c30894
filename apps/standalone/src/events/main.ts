import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { listParked, replayParked, type Queryable, type Statement } from '@fundrail/messaging';
import { databaseUrlFor } from '@fundrail/service-kit/db';
import { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import pg from 'pg';
import { readConfig } from '../config.ts';

const USAGE = `npm run events -- parked                            lists the events that could not be handled, of every service
npm run events -- replay <service> all|<event id>…  runs them again in the running product, or at its next start`;

/** The server of `DATABASE_URL`, or the embedded one of the product that runs on `DATA_DIR`. */
async function serverUrl(): Promise<string> {
  const config = readConfig(process.env);
  const url = config.databaseUrl ?? (await EmbeddedPostgres.urlOfRunning(config.dataDir));
  if (!url) throw new Error(`no database: start fundrail on DATA_DIR ${config.dataDir}, or set DATABASE_URL`);
  return url;
}

async function withDatabase<T>(service: ServiceName, work: (db: Queryable) => Promise<T>): Promise<T> {
  const url = databaseUrlFor(service, { ...process.env, DATABASE_URL: await serverUrl() });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work({
      query: async <Row>({ name, text }: Statement, values: readonly unknown[] = []) =>
        (await client.query({ name, text, values: [...values] })).rows as Row[],
    });
  } finally {
    await client.end();
  }
}

async function printParked(): Promise<void> {
  const { sandbox } = readConfig(process.env);
  for (const service of SERVICES.filter((name) => sandbox || name !== 'simulator')) {
    const parked = await withDatabase(service, (db) => listParked(db));
    for (const { event_id, type, aggregate_id, sequence, status, tries, error } of parked)
      console.log(
        [service, event_id, type, `${aggregate_id}#${sequence}`, status, `${tries} tries`, error ?? ''].join(
          '  ',
        ),
      );
    if (parked.length === 0) console.log(`${service}  nothing is parked`);
  }
}

async function replay(service: string | undefined, ids: readonly string[]): Promise<void> {
  const known = SERVICES.find((name) => name === service);
  if (!known || ids.length === 0) throw new Error(`what should be replayed?\n${USAGE}`);
  const count = await withDatabase(known, (db) => replayParked(db, ids[0] === 'all' ? 'all' : ids));
  console.log(`${count} events of ${known} will run again`);
}

try {
  const [command, service, ...ids] = process.argv.slice(2);
  if (command === 'parked') await printParked();
  else if (command === 'replay') await replay(service, ids);
  else throw new Error(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
