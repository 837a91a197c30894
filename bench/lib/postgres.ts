import { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Part } from './cpu-time.ts';
import { IS_SMALLEST } from './size.ts';

/** A PostgreSQL of one benchmark: durable (fsync on), but not with the smallest sizes, whose figures are meaningless. */
export interface BenchPostgres extends AsyncDisposable {
  /** A superuser's URL of the database `postgres`. */
  readonly url: string;
  readonly part: Part;
}

/** Its data are removed when it ends. `settings`: further ones, such as `wal_level`. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<BenchPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'fundrail-bench-'));
  const options = { directory, durable: !IS_SMALLEST, maxConnections: 200 };
  let postgres = await EmbeddedPostgres.start(options);
  const further = Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}'`);
  if (further.length > 0) {
    await onServer(postgres.url, ...further);
    // Some are read only at the start.
    await postgres.stop();
    postgres = await EmbeddedPostgres.start(options);
  }
  process.once('exit', () => {
    postgres.kill();
    rmSync(directory, { recursive: true, force: true });
  });
  const [pid] = (await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return {
    url: postgres.url,
    part: { name: 'PostgreSQL', pid: Number(pid), withChildren: true },
    [Symbol.asyncDispose]: async () => {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The same server, another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Runs statements without parameters on a connection of their own. */
export async function onServer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

// Only the filling does not wait for the disk: it is not measured.
const FAST = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', max_wal_size: '16GB' };

/** Lets the server fill tables quickly, until `beDurable`. */
export async function hurry(url: string): Promise<void> {
  const settings = Object.entries(FAST).map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}'`);
  await onServer(url, ...settings, 'SELECT pg_reload_conf()');
}

/** What an operator is advised to set (docs/operations): at PostgreSQL's default of 1 GB, a million plans, which write 2.8 GB, cause checkpoints. */
const MAX_WAL_SIZE = `ALTER SYSTEM SET max_wal_size = '8GB'`;

export async function beDurable(url: string): Promise<void> {
  const settings = Object.keys(FAST).map((name) => `ALTER SYSTEM RESET ${name}`);
  await onServer(url, ...settings, MAX_WAL_SIZE, 'SELECT pg_reload_conf()', 'CHECKPOINT');
}
