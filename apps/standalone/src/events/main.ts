import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { discardParked, listParked, replayParked, type Queryable, type Statement } from '@fundrail/messaging';
import { databaseUrlFor } from '@fundrail/service-kit/db';
import { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import pg from 'pg';
import { readConfig } from '../config.ts';

const USAGE = `npm run events -- parked                            lists the events that could not be handled, of every service
npm run events -- replay <service> all|<event id>…  runs them again in the running product, or at its next start
npm run events -- discard <service> <event id>…     gives them up for good; what waits behind them runs`;

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

/** The service and events that a command names. Throws with `question` when one is missing. */
function named(service: string | undefined, ids: readonly string[], question: string): ServiceName {
  const known = SERVICES.find((name) => name === service);
  if (!known || ids.length === 0) throw new Error(`${question}\n${USAGE}`);
  return known;
}

async function replay(service: string | undefined, ids: readonly string[]): Promise<void> {
  const known = named(service, ids, 'what should be replayed?');
  const count = await withDatabase(known, (db) => replayParked(db, ids[0] === 'all' ? 'all' : ids));
  console.log(`${count} events of ${known} will run again`);
}

async function discard(service: string | undefined, ids: readonly string[]): Promise<void> {
  const known = named(service, ids, 'what should be given up?');
  const count = await withDatabase(known, (db) => discardParked(db, ids));
  console.log(`${count} of ${ids.length} events of ${known} are given up; only failed ones can be`);
}

try {
  const [command, service, ...ids] = process.argv.slice(2);
  if (command === 'parked') await printParked();
  else if (command === 'replay') await replay(service, ids);
  else if (command === 'discard') await discard(service, ids);
  else throw new Error(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
