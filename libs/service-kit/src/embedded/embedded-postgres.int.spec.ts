import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { EmbeddedPostgres } from './embedded-postgres.ts';

const options = (directory: string) => ({ directory, durable: false, maxConnections: 10 });

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows[0];
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  let directory: string;
  let server: EmbeddedPostgres | undefined;
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'fundrail-pg-'))));
  afterEach(async () => {
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('keeps its data when it is stopped and started again', async () => {
    server = await EmbeddedPostgres.start(options(directory));
    await ask(server.url, `CREATE TABLE kept AS SELECT 42 AS answer`);
    await server.stop();
    server = await EmbeddedPostgres.start(options(directory));
    expect(await ask(server.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 });
  });

  it('refuses a wrong password, so that no other user of the machine gets in', async () => {
    server = await EmbeddedPostgres.start(options(directory));
    const foreign = new URL(server.url);
    foreign.password = 'postgres';
    await expect(ask(foreign.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(directory, 'postgres.password'))).mode & 0o077).toBe(0);
  });

  it('stores its random password without a slow hash, which each connection would pay', async () => {
    server = await EmbeddedPostgres.start(options(directory));
    const stored =
      "SELECT rolpassword ~ '^SCRAM-SHA-256[$]1:' AS quick FROM pg_authid WHERE rolname = 'postgres'";
    expect(await ask(server.url, stored)).toEqual({ quick: true });
    expect(await ask(server.url, 'SHOW scram_iterations')).toEqual({ scram_iterations: '4096' });
  });

  it('syncs to the disk when it is durable', async () => {
    server = await EmbeddedPostgres.start({ ...options(directory), durable: true });
    expect(await ask(server.url, 'SHOW fsync')).toEqual({ fsync: 'on' });
    expect(await ask(server.url, 'SHOW synchronous_commit')).toEqual({ synchronous_commit: 'on' });
  });

  it("has its own setting of the allocator, not this process's", async () => {
    process.env['MALLOC_MMAP_THRESHOLD_'] = '131072';
    server = await EmbeddedPostgres.start(options(directory));
    delete process.env['MALLOC_MMAP_THRESHOLD_'];
    await ask(server.url, 'CREATE TABLE environment (line text)');
    await ask(server.url, "COPY environment FROM PROGRAM 'env'");
    const lines =
      "SELECT count(*) FILTER (WHERE line LIKE 'PATH=%')::int AS path, count(*) FILTER (WHERE line LIKE 'MALLOC%')::int AS malloc FROM environment";
    expect(await ask(server.url, lines)).toEqual({ path: 1, malloc: 0 });
  });

  it('ends the server that a killed process left running, and keeps its data', async () => {
    const source = fileURLToPath(new URL('./embedded-postgres.ts', import.meta.url));
    const script = `const { EmbeddedPostgres } = await import(${JSON.stringify(source)});
      await EmbeddedPostgres.start(${JSON.stringify(options(directory))}); process.kill(process.pid, 'SIGKILL');`;
    await once(
      spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: 'inherit',
        env: { ...process.env, NODE_OPTIONS: '' },
      }),
      'exit',
    );
    const leftOver = await EmbeddedPostgres.urlOfRunning(directory);
    await ask(leftOver ?? '', 'CREATE TABLE kept AS SELECT 42 AS answer');
    server = await EmbeddedPostgres.start(options(directory));
    await expect(ask(leftOver ?? '', 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    expect(await ask(server.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 });
  });

  it('does not end another process that has the id of an earlier server', async () => {
    server = await EmbeddedPostgres.start(options(directory));
    await server.stop();
    const file = join(directory, 'postgres', 'postmaster.pid');
    await writeFile(file, `${process.pid}\n/elsewhere\n`);
    server = await EmbeddedPostgres.start(options(directory));
    expect(await readFile(file, 'utf8')).not.toContain('/elsewhere');
  });

  it('starts over when an earlier first start was killed before the cluster was complete', async () => {
    await writeFile(join(directory, 'postgres.new'), 'half a cluster');
    server = await EmbeddedPostgres.start(options(directory));
    expect(await ask(server.url, 'SELECT 1 AS one')).toEqual({ one: 1 });
  });
});
