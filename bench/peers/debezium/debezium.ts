import { KafkaBus, messagingMigrationSql } from '@fundrail/messaging';
import { execute, PgTransactions, RawKafka } from '@fundrail/messaging/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { fetchJars, java, jarsOf, KAFKA_VERSION } from '../../../tools/kafka/index.ts';
import { thisProcess } from '../../lib/cpu-time.ts';
import { EVENT_DATA, TENANT, TOPIC } from '../../lib/events.ts';
import { startKafka, type BenchKafka } from '../../lib/kafka.ts';
import { onServer, startPostgres, withDatabase, type BenchPostgres } from '../../lib/postgres.ts';
import { freePort, Processes } from '../../lib/processes.ts';
import { drainByRelay } from '../../relay/contenders.ts';
import { EVENTS_EACH } from '../../relay/stock.ts';
import { checkLog } from '../../relay/verify.ts';
import { meterUs, takeTurns, type Comparison, type Turn } from '../turns.ts';

export const DEBEZIUM = jarsOf('debezium', new URL('./pom.xml', import.meta.url));

const DATABASE = 'relay';
const SLOT = 'outbox';
/** Aggregates whose events lie among each other. */
const NEIGHBOURS = 50;
const TURN_LIMIT_MS = 300_000;
const START_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 20;
/** As Kafka's own script starts Connect. */
const JVM = ['-Xms256m', '-Xmx2g', '-XX:+UseG1GC', '-XX:MaxGCPauseMillis=20', '-Djava.awt.headless=true'];

/** Errors are shown, and nothing else is written. */
const ERRORS = {
  'rootLogger.level': 'error',
  'rootLogger.appenderRef.shown.ref': 'shown',
  'appender.shown.type': 'Console',
  'appender.shown.name': 'shown',
  'appender.shown.target': 'SYSTEM_ERR',
  'appender.shown.layout.type': 'PatternLayout',
  'appender.shown.layout.pattern': '%p %c: %m%n',
};

/** An outbox, and the number of events that its turns have had so far. */
interface Outbox {
  readonly postgres: BenchPostgres;
  readonly db: PgTransactions;
  events: number;
}

/**
 * Events that wait in an outbox, published to Kafka: by our relay, and by Debezium's connector in Kafka Connect with its router of outbox
 * events. A durable PostgreSQL each, of which Debezium's has `wal_level=logical`. Both logs are read back at the end.
 */
export async function compareDebezium(rows: number): Promise<Comparison> {
  await using kafka = await startKafka();
  await using own = await startPostgres();
  await using replicated = await startPostgres({ wal_level: 'logical' });
  await using directory = await makeDirectory();
  await using connect = new Processes();
  const [ours, theirs] = [await outboxOn(own), await outboxOn(replicated)];
  const bus = new KafkaBus(kafka.connection);
  try {
    await startConnect(connect, theirs, kafka, directory.path);
    const log = new RawKafka(kafka.other);
    const count = Math.ceil(rows / (NEIGHBOURS * EVENTS_EACH)) * NEIGHBOURS * EVENTS_EACH;
    const compared = await takeTurns(
      count,
      (events) => relayTurn(ours, bus, events),
      (events) => connectTurn(theirs, connect, log, events),
      { Debezium: DEBEZIUM.version, 'Kafka Connect': KAFKA_VERSION, node: process.version },
    );
    await verify('ours', new RawKafka(kafka.connection), ours.events);
    await verify('Debezium', log, theirs.events);
    return compared;
  } finally {
    await Promise.all([bus.close(), ours.db.end(), theirs.db.end()]);
  }
}

/** For the settings of Connect and its positions, which it writes as it ends. */
async function makeDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'fundrail-connect-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function outboxOn(postgres: BenchPostgres): Promise<Outbox> {
  await onServer(postgres.url, `CREATE DATABASE ${DATABASE}`);
  const db = new PgTransactions(withDatabase(postgres.url, DATABASE));
  await execute(db, messagingMigrationSql);
  return { postgres, db, events: 0 };
}

/** Each event by a transaction of its own, as the product's mostly are. They do not wait for the disk: the filling is not measured. */
async function fill(outbox: Outbox, count: number): Promise<void> {
  const first = outbox.events;
  outbox.events += count;
  const rows = `
    DO $$ BEGIN FOR n IN 0 .. ${count - 1} LOOP
      INSERT INTO outbox (event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data)
      VALUES ('evt_' || lpad(to_hex(${first} + n), 32, '0'), 'payment.updated', 1, '${TENANT}',
        (${first} + n / ${NEIGHBOURS * EVENTS_EACH} * ${NEIGHBOURS} + n % ${NEIGHBOURS})::text,
        n / ${NEIGHBOURS} % ${EVENTS_EACH} + 1, now(), ${pg.escapeLiteral(EVENT_DATA)});
      COMMIT;
    END LOOP; END $$`;
  const statements = ['TRUNCATE outbox', 'SET synchronous_commit = off', rows, 'VACUUM (ANALYZE) outbox'];
  await onServer(outbox.db.url, ...statements, 'CHECKPOINT');
}

/** The relay and the bus as every service runs them, in this process. */
async function relayTurn(outbox: Outbox, bus: KafkaBus, count: number): Promise<Turn> {
  await fill(outbox, count);
  const used = meterUs([thisProcess('relay'), outbox.postgres.part]);
  const seconds = await drainByRelay(outbox.db, bus, count);
  return { ps: count / seconds, cpu: used(count) };
}

/** PostgreSQL's sender stands still while the outbox is filled, so that Debezium gets all of it at one moment, with everything warm. */
async function connectTurn(outbox: Outbox, connect: Processes, log: RawKafka, count: number): Promise<Turn> {
  const sender = await idleSender(outbox.db);
  const wanted = (await log.count(TOPIC)) + count;
  process.kill(sender, 'SIGSTOP');
  try {
    await fill(outbox, count);
  } finally {
    process.kill(sender, 'SIGCONT');
  }
  const used = meterUs([...connect.parts, outbox.postgres.part]);
  const start = performance.now();
  while ((await log.count(TOPIC)) < wanted) {
    if (performance.now() - start > TURN_LIMIT_MS) throw new Error('Debezium did not publish all events');
    await pause(LOOK_EVERY_MS);
  }
  const seconds = (performance.now() - start) / 1000;
  return { ps: count / seconds, cpu: used(count) };
}

/** The process that sends changes to Debezium, once it has sent all. */
async function idleSender(db: PgTransactions): Promise<number> {
  const text = `SELECT pid FROM pg_stat_replication WHERE state = 'streaming' AND sent_lsn >= pg_current_wal_flush_lsn()`;
  const end = performance.now() + START_LIMIT_MS;
  while (performance.now() < end) {
    const { rows } = await db.pool.query<{ pid: number }>(text);
    if (rows[0]) return rows[0].pid;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('Debezium does not read from PostgreSQL');
}

async function verify(name: string, log: RawKafka, count: number): Promise<void> {
  const findings = checkLog(await log.readAll(TOPIC), count / EVENTS_EACH, EVENTS_EACH);
  console.log(`${name}: read back ${count} events: ${JSON.stringify(findings)}`);
  if (findings.missing !== 0 || findings.out_of_order > 0)
    throw new Error(`events of ${name} are missing or out of order, so the figures mean nothing`);
}

async function startConnect(
  processes: Processes,
  { db }: Outbox,
  kafka: BenchKafka,
  directory: string,
): Promise<void> {
  const { brokers, prefix = '' } = kafka.other;
  const url = `http://127.0.0.1:${await freePort()}`;
  const worker = await writeProperties(join(directory, 'worker.properties'), {
    'bootstrap.servers': brokers.join(','),
    listeners: url,
    'plugin.discovery': 'service_load',
    'offset.storage.file.filename': join(directory, 'offsets'),
    // The event's data is published as it is.
    'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
    'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
    // Larger requests than 16 KB, as many rows are waiting.
    'producer.batch.size': '262144',
    'producer.linger.ms': '5',
  });
  const connector = await writeProperties(join(directory, 'connector.properties'), {
    name: 'outbox',
    'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
    ...databaseOf(new URL(db.url)),
    'topic.prefix': 'bench',
    'plugin.name': 'pgoutput',
    'slot.name': SLOT,
    'publication.autocreate.mode': 'filtered',
    'table.include.list': 'public.outbox',
    'snapshot.mode': 'no_data',
    'tombstones.on.delete': 'false',
    // Four times the defaults.
    'max.batch.size': '8192',
    'max.queue.size': '32768',
    ...routerOf(`${prefix}${TOPIC}`),
  });
  const log = await writeProperties(join(directory, 'log4j2.properties'), ERRORS);
  const jars = join(await fetchJars(DEBEZIUM), '*');
  const start = ['-cp', jars, 'org.apache.kafka.connect.cli.ConnectStandalone', worker, connector];
  const args = [...JVM, `-Dlog4j2.configurationFile=${log}`, ...start];
  await processes.run({ name: 'Connect', file: java(), args }, {}, url);
}

function databaseOf({ hostname, port, username, password, pathname }: URL): Record<string, string> {
  return {
    'database.hostname': hostname,
    'database.port': port,
    'database.user': username,
    'database.password': password,
    'database.dbname': pathname.slice(1),
  };
}

/** The router of outbox events: the same key, value and headers as ours. */
function routerOf(topic: string): Record<string, string> {
  const headers = [
    ...['event_id:header', 'type:header:event_type', 'version:header:event_version'],
    ...['occurred_at:header', 'tenant:header', 'sequence:header'],
  ];
  const settings = {
    type: 'io.debezium.transforms.outbox.EventRouter',
    'route.by.field': 'type',
    'route.topic.replacement': topic,
    'table.field.event.id': 'event_id',
    'table.field.event.key': 'aggregate_id',
    'table.field.event.payload': 'data',
    'table.fields.additional.placement': headers.join(','),
  };
  const named = Object.entries(settings).map(([name, value]): [string, string] => [
    `transforms.outbox.${name}`,
    value,
  ]);
  return { transforms: 'outbox', ...Object.fromEntries(named) };
}

async function writeProperties(file: string, values: Readonly<Record<string, string>>): Promise<string> {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(''), { mode: 0o600 });
  return file;
}
