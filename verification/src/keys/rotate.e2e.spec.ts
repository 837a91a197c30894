import { SERVICES } from '@fundrail/contracts';
import { ChildService, waitFor, WebhookReceiver } from '@fundrail/testing';
import { DataCipher } from '@fundrail/service-kit/crypto';
import pg from 'pg';
import { fileURLToPath } from 'node:url';
import type { ApiClient } from '../testing/api-client.ts';
import { ProductDatabases } from '../testing/crash/product-databases.ts';
import { markedInvestor } from '../testing/privacy/marked-investor.ts';
import { freshCheckout, ok } from '../testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from '../testing/standalone-process.ts';

const MAIN = fileURLToPath(new URL('../../../apps/standalone/dist/keys/main.js', import.meta.url));
const OLD = 'old secret of at least 32 characters';
const NEW = 'new secret of at least 32 characters';
const BOTH = `${NEW},${OLD}`;
const idOf = (secret: string) => new DataCipher(secret).keyIds.join();

const CLEAR_END =
  /^fundrail did not start: DATA_ENCRYPTION_KEY does not decrypt tenants\.postback_secret_encrypted [^\n]+\n$/;

/** What a client or an investor received under the old key. */
interface Kept {
  readonly endpoint: string;
  readonly secrets: readonly string[];
  readonly bankAccount: string;
  readonly answer: string;
  readonly link: string;
}

describe('npm run keys -- rotate', () => {
  let databases: ProductDatabases;
  let dataDir: string;
  let receiver: WebhookReceiver;
  let product: StandaloneProcess;
  let client: ApiClient;

  beforeAll(async () => {
    databases = await ProductDatabases.onTestServer();
    [dataDir, receiver] = await Promise.all([newDataDir(), WebhookReceiver.start()]);
  });
  afterAll(async () => {
    await product.stop();
    await Promise.all([receiver.stop(), databases.drop(), removeDataDir(dataDir)]);
  });

  const startWith = async (secrets: string) => {
    product = await StandaloneProcess.start({
      dataDir,
      env: { ...databases.env, DATA_ENCRYPTION_KEY: secrets },
    });
    client = await product.client();
  };
  const rotate = () =>
    ChildService.spawn({
      main: MAIN,
      args: ['rotate'],
      env: { ...databases.env, DATA_DIR: dataDir, SANDBOX: undefined, DATA_ENCRYPTION_KEY: BOTH },
      ready: /$/,
    });

  /** How many rows of each table hold a value that this key has encrypted. */
  const rowsUnder = async (secret: string): Promise<Record<string, number>> => {
    const counts = SERVICES.map(async (name) => {
      const [found] = await databases.rows<{ rows: string }>(
        name,
        `SELECT string_agg(format('SELECT count(*) AS n FROM %s t WHERE strpos(t::text, %L) > 0', c.oid::regclass, $1::text), ' UNION ALL ') AS rows
           FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
        [`.${idOf(secret)}.`],
      );
      const rows = await databases.rows<{ n: string }>(name, found?.rows ?? '');
      return [name, rows.reduce((sum, { n }) => sum + Number(n), 0)] as const;
    });
    return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0));
  };

  const keyed = (key: string) =>
    client.call(
      'POST',
      '/v2/investor_profiles',
      { name: 'A B', pan: 'ABCPE1234F', date_of_birth: '1990-05-17' },
      { 'idempotency-key': key },
    );

  async function before(): Promise<Kept> {
    await markedInvestor(client);
    const accounts = ok(await client.get('/v2/bank_accounts')).text;
    const made = ok(
      await client.post('/v2/notification_webhooks', { url: receiver.url, events: ['mandate.*'] }),
    ).body;
    const path = `/v2/notification_webhooks/${String(made['id'])}`;
    const rotated = ok(await client.post(`${path}/rotate_secret`, {})).body;
    return {
      endpoint: path,
      secrets: [String(made['secret']), String(rotated['secret'])],
      bankAccount: accounts,
      answer: ok(await keyed('kept')).text,
      link: (await freshCheckout(client)).url,
    };
  }

  const openLink = async (link: string) => {
    const { pathname, search } = new URL(link);
    return (await fetch(`${product.url}${pathname}${search}`)).status;
  };

  /** Kills the command while it waits for a table of identity: the columns before it are done, those after it are not. */
  async function killedInTheMiddle(): Promise<void> {
    const holder = new pg.Client({ connectionString: databases.urls['IDENTITY_DATABASE_URL'] });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE bank_accounts IN ACCESS EXCLUSIVE MODE');
      const child = rotate();
      await waitFor(() => child.output.includes('signing_keys.private_jwk_encrypted') || child.hasExited, {
        limitMs: 60_000,
        what: 'the keys of identity to be re-encrypted',
      });
      expect(await child.kill()).toEqual({ code: null, signal: 'SIGKILL' });
    } finally {
      await holder.end();
    }
  }

  /** Writes until the returned function is called, which returns the statuses of the answers. */
  function writer(): () => Promise<ReadonlySet<number>> {
    const over = new AbortController();
    const statuses = new Set<number>();
    const written = (async () => {
      for (let at = 0; !over.signal.aborted; at += 1) statuses.add((await keyed(`while ${at}`)).status);
    })();
    return async () => {
      over.abort();
      await written;
      return statuses;
    };
  }

  it('re-encrypts everything while requests are served, so that the old key can be removed', async () => {
    // given a product that knows the old key alone, and then both
    await startWith(OLD);
    const kept = await before();
    await product.stop();
    await startWith(BOTH);
    const link = (await freshCheckout(client)).url;
    expect(await openLink(kept.link)).toBe(200);
    // when it rotates while clients write, is killed, and rotates again
    const stopWriting = writer();
    await killedInTheMiddle();
    expect(Object.keys(await rowsUnder(OLD))).toEqual(expect.arrayContaining(['identity', 'webhooks']));
    const rotating = rotate();
    const { code } = await rotating.exited;
    expect([...(await stopWriting())]).toEqual([200]);
    // then no column of any database holds a value of the old key, and the command prints that
    expect(rotating.output).toContain(
      `webhooks: everything is under ${idOf(NEW)}; ${idOf(OLD)} may be taken out`,
    );
    expect([code, await rowsUnder(OLD)]).toEqual([0, {}]);
    // and the new key alone reads all of it
    await product.stop();
    await startWith(NEW);
    expect((await client.get('/v2/bank_accounts')).text).toBe(kept.bankAccount);
    expect((await keyed('kept')).text).toBe(kept.answer);
    expect(await openLink(link)).toBe(200);
    for (const secret of kept.secrets) {
      receiver.secret = secret;
      const seen = receiver.received.length;
      ok(await client.post(`${kept.endpoint}/test`, {}));
      await waitFor(() => receiver.received[seen]?.verified === true, { what: 'a webhook that fits' });
    }
    // and a start with the old key alone prints one line with the reason
    const wrong = { ...databases.env, DATA_ENCRYPTION_KEY: OLD };
    const { code: failed, output } = await StandaloneProcess.startToFail({ dataDir, env: wrong });
    expect([failed, output]).toEqual([1, expect.stringMatching(CLEAR_END)]);
  });
});
