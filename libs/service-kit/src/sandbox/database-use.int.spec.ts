import { createTestDatabase, signedAsOverrides, signedOverrides, type TestDatabase } from '@fundrail/testing';
import { istTimestamp } from '@fundrail/contracts';
import { usePolicies } from '@fundrail/policies';
import pg from 'pg';
import { BadEnvironment, type Environment } from '../config/environment.ts';
import { bootstrap, type RunningService } from '../index.ts';
import { Log } from '../logging/log.ts';
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

  const start = (sandbox: boolean, more: Environment = {}, log?: Log): Promise<RunningService> =>
    bootstrap(notesService, {
      listen: false,
      bus: null,
      ...(log && { log }),
      env: { ...OWN, SANDBOX: String(sandbox), ORDERS_DATABASE_URL: test.url, LOG_LEVEL: 'silent', ...more },
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

  describe('with overrides of policies (POL-11)', () => {
    const entry = {
      ...{ policy: 'autopay_windows', version: '2025-08-01', parameters: { attempts: 2 } },
      ...{
        reason: 'our acquirer has confirmed it in writing',
        by: 'A Person',
        at: '2026-11-01T10:00:00+05:30',
      },
    };
    const begin = async (issued_at: string) => {
      const signed = signedAsOverrides({ issued_at, overrides: [entry] });
      const running = await start(true, { ...signedOverrides(entry), POLICY_OVERRIDES: signed });
      await running.stop();
    };
    afterEach(() => usePolicies([]));

    it('given a document that was issued before another in use here, then it is refused, also after a start without any', async () => {
      await begin('2026-01-02T10:00:00+05:30');
      await begin('2026-01-02T10:00:00+05:30');
      const old = begin('2026-01-02T09:59:59.999+05:30');
      await expect(old).rejects.toThrow(/issued_at .* is earlier than that of a document that was used here/);
      await startAndStop(true);
      await expect(begin('2026-01-01T10:00:00+05:30')).rejects.toThrow(BadEnvironment);
      await begin('2026-01-02T10:00:00.001+05:30');
    });

    it('given an entry that has expired, then its line says so, and not that the policy is overridden', async () => {
      const logged: string[] = [];
      const log = Log.to('orders', 'warn', { write: (line) => void logged.push(line) });
      const expired = { ...entry, expires_on: '2025-12-31' };
      const other = { ...entry, policy: 'upi_daily_limit', version: '2025-09-15', parameters: { max: 1 } };
      const running = await start(
        true,
        signedOverrides(expired, { ...other, expires_on: '2099-12-31' }),
        log,
      );
      await running.stop();
      const lines = logged.map(
        (line) => JSON.parse(line) as { readonly msg: string; readonly policy?: string },
      );
      expect(lines.flatMap(({ msg, policy }) => (policy ? [[policy, msg]] : []))).toEqual([
        ['autopay_windows', 'an override of a policy has expired'],
        ['upi_daily_limit', 'a policy is overridden'],
      ]);
    });

    it('given a document of the far future, which would keep away all later ones, then it is refused', async () => {
      const ahead = (ms: number) => istTimestamp(new Date(Date.now() + ms));
      await expect(begin(ahead(90_000_000))).rejects.toThrow('has not come yet');
      await begin(ahead(3_600_000));
    });
  });
});
