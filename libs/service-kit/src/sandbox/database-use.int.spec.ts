import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { BadEnvironment } from '../config/environment.ts';
import { bootstrap, type RunningService } from '../index.ts';
import { notesService } from '../testing/notes.service.ts';

const OWN = {
  SERVICE_TOKEN_SECRET: 'a service token secret of this test',
  DATA_ENCRYPTION_KEY: 'a data encryption key of this test',
};

describe('a start on a database that another kind of product has used', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase(notesService);
  });
  afterEach(() => test.drop());

  const start = (sandbox: boolean): Promise<RunningService> =>
    bootstrap(notesService, {
      listen: false,
      bus: null,
      env: { ...OWN, SANDBOX: String(sandbox), ORDERS_DATABASE_URL: test.url, LOG_LEVEL: 'silent' },
    });
  const startAndStop = async (sandbox: boolean) => (await start(sandbox)).stop();
  const refusal = (sandbox: boolean): Promise<unknown> => start(sandbox).catch((error: unknown) => error);
  const change = async (text: string) => {
    const client = new pg.Client({ connectionString: test.url });
    await client.connect();
    await client.query(text);
    await client.end();
  };

  it('given a database of a sandbox, when it starts with SANDBOX=false, then one line refuses it and names an alternative', async () => {
    await startAndStop(true);
    const error = await refusal(false);
    expect(error).toBeInstanceOf(BadEnvironment);
    expect(String(error)).toMatch(
      /SANDBOX=false is refused: the database \S+ is a sandbox's .*DATA_DIR, DATABASE_URL or ORDERS_DATABASE_URL$/,
    );
    await startAndStop(true);
  });

  it('given a clock that a sandbox of the previous release has moved, when it starts with SANDBOX=false, then it is refused', async () => {
    await change('UPDATE business_clock SET offset_ms = 1');
    expect(String(await refusal(false))).toContain('its clock was moved');
  });

  it('given a database of a product, when it starts as a sandbox, then it is refused, and still starts as a product', async () => {
    await startAndStop(false);
    expect(String(await refusal(true))).toContain('start with SANDBOX=false');
    await startAndStop(false);
  });

  it('given a new database, when a sandbox and a product start on it at the same time, then one of them is refused', async () => {
    const both = await Promise.allSettled([start(true), start(false)]);
    const started = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(started.map((service) => service.stop()));
    expect(started).toHaveLength(1);
  });
});
