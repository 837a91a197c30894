import { definitions } from '@fundrail/standalone';
import { storedNameOf, type ServiceName } from '@fundrail/contracts';
import { encryptedColumnsOf } from '@fundrail/service-kit';
import { DataCipher, Undecryptable, type Cell } from '@fundrail/service-kit/crypto';
import { waitFor, WebhookReceiver } from '@fundrail/testing';
import { ApiClient } from '../testing/api-client.ts';
import { ProductDatabases } from '../testing/crash/product-databases.ts';
import { ok } from '../testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from '../testing/standalone-process.ts';

const KEY = 'a secret of the swapped values of this spec';
/** Columns that a service fills only at its first request under a key. */
const FILLED_ON_DEMAND = / (idempotency_keys\.body|hashing_secrets\.secret_encrypted)$/;

/** A stored value, its place, and its plain text. */
interface Stored {
  readonly service: ServiceName;
  readonly name: string;
  readonly cell: Cell;
  readonly value: string;
}

describe('an encrypted value that was copied within the database', () => {
  let databases: ProductDatabases;
  let dataDir: string;
  let receiver: WebhookReceiver;
  let product: StandaloneProcess;
  let client: ApiClient;
  let stored: Stored[];

  beforeAll(async () => {
    databases = await ProductDatabases.onTestServer();
    [dataDir, receiver] = await Promise.all([newDataDir(), WebhookReceiver.start()]);
    const env = { ...databases.env, DATA_ENCRYPTION_KEY: KEY };
    product = await StandaloneProcess.start({ dataDir, env });
    client = await product.client();
    await fill(client);
    await fill(await otherTenant());
    stored = (await Promise.all(definitions(true).map((service) => storedOf(service)))).flat();
  });
  afterAll(async () => {
    await product.stop();
    await Promise.all([receiver.stop(), databases.drop(), removeDataDir(dataDir)]);
  });

  async function otherTenant(): Promise<ApiClient> {
    const operator = await product.operator();
    ok(await operator.post('/admin/tenants', { name: 'other' }));
    const { body } = await operator.post('/admin/tenants/other/clients', {});
    const [id, secret] = [String(body['client_id']), String(body['client_secret'])];
    return ApiClient.signIn(product.url, { tenant: 'other', id, secret });
  }

  /** Creates two bank accounts, two phone numbers and two endpoints with an old secret each, by requests with Idempotency-Keys. */
  async function fill(as: ApiClient): Promise<void> {
    const keyed = async (path: string, key: string, body: object) =>
      ok(await as.call('POST', path, body, { 'idempotency-key': key })).body;
    const person = { name: 'A B', pan: 'ABCPE1234F', date_of_birth: '1990-05-17' };
    const profile = await keyed('/v2/investor_profiles', 'profile', person);
    for (const at of [1, 2]) {
      await keyed('/v2/bank_accounts', `account ${at}`, accountOf(String(profile['id']), at));
      const phone = { profile: profile['id'], isd: '91', number: `987654321${at}` };
      await keyed('/v2/phone_numbers', `phone ${at}`, phone);
      const endpoint = { url: receiver.url, events: ['mandate.*'] };
      const made = await keyed('/v2/notification_webhooks', `endpoint ${at}`, endpoint);
      await keyed(`/v2/notification_webhooks/${String(made['id'])}/rotate_secret`, `rotated ${at}`, {});
    }
  }

  const accountOf = (profile: string, at: number) => ({
    ...{ profile, primary_account_holder_name: 'A B', type: 'savings' },
    ...{ account_number: `5010001234567${at}`, ifsc_code: 'HDFC0000001' },
  });

  async function storedOf(service: Parameters<typeof encryptedColumnsOf>[0] & { name: ServiceName }) {
    const found = encryptedColumnsOf(service).map(async (column) => {
      const tenant = column.tenant ?? 'NULL::text';
      const rows = await databases.rows<{ key: string[]; tenant: string | null; value: string | null }>(
        service.name,
        `SELECT ARRAY[${column.key.join(', ')}] AS key, ${tenant} AS tenant, ${column.column}::text AS value FROM ${column.table}`,
      );
      return rows.flatMap(({ key, tenant: owner, value }) =>
        [...(value ?? '').matchAll(/v\d\.[\w-]{8}\.[\w-]+\.[\w-]+/g)].map(([one]) => ({
          service: service.name,
          name: `${service.name} ${column.table}.${column.column}`,
          cell: { table: column.table, column: column.column, tenant: owner, key },
          value: one,
        })),
      );
    });
    return (await Promise.all(found)).flat();
  }

  const open = (value: string, { service, cell }: Stored): string =>
    new DataCipher(KEY, { service: storedNameOf(service) }).decrypt(value, cell);

  it('can be decrypted in its own place, and in no other place of the product', () => {
    // given a value of each column of the list, and of two tenants
    const listed = definitions(true).flatMap((service) =>
      encryptedColumnsOf(service).map(({ table, column }) => `${service.name} ${table}.${column}`),
    );
    const names = new Set(stored.map(({ name }) => name));
    const without = listed.filter((name) => !names.has(name));
    expect(without.filter((name) => !FILLED_ON_DEMAND.test(name))).toEqual([]);
    expect(new Set(stored.map(({ cell }) => cell.tenant))).toEqual(
      new Set(['demo', 'demo-upstream', 'other', null]),
    );
    // then
    const isOpened = (value: string, there: Stored): boolean => {
      try {
        return open(value, there) !== '';
      } catch (error) {
        if (error instanceof Undecryptable) return false;
        throw error;
      }
    };
    const isSame = (one: Stored, other: Stored) =>
      one.service === other.service && JSON.stringify(one.cell) === JSON.stringify(other.cell);
    const wrong = stored.flatMap((from) =>
      stored
        .filter((to) => isOpened(from.value, to) !== isSame(from, to))
        .map((to) => `${from.name} in ${to.name}`),
    );
    expect(wrong).toEqual([]);
    expect(stored.filter(({ value }) => !value.startsWith('v2.'))).toEqual([]);
  });

  it('is not in any answer, and the log names its place', async () => {
    // given
    const [account] = (await client.get('/v2/bank_accounts')).body['data'] as { id: string }[];
    const id = String(account?.id);
    const secrets = stored.map((one) => open(one.value, one));
    const place = stored.filter(({ cell }) => cell.key[0] === id);
    const replay = () =>
      client.call('POST', '/v2/investor_profiles', REPLAYED, { 'idempotency-key': 'profile' });
    const REPLAYED = { name: 'A B', pan: 'ABCPE1234F', date_of_birth: '1990-05-17' };
    expect([place.length, (await replay()).status]).toEqual([1, 200]);
    for (const { value, name } of stored.filter((one) => !place.includes(one))) {
      // when it is copied to columns that two routes read
      const before = product.child.output.length;
      await databases.rows(
        'identity',
        'UPDATE bank_accounts SET account_number_encrypted = $1 WHERE id = $2',
        [value, id],
      );
      if (!name.startsWith('identity idempotency_keys'))
        await databases.rows(
          'identity',
          "UPDATE idempotency_keys SET body = $1 WHERE tenant = 'demo' AND key = 'profile'",
          [value],
        );
      const answers = [await client.get(`/v2/bank_accounts/${id}`), await client.get('/v2/bank_accounts')];
      if (!name.startsWith('identity idempotency_keys')) answers.push(await replay());
      // then
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
      const line = `bank_accounts.account_number_encrypted of row ${id} of tenant demo contains a value`;
      // The log comes through a pipe, and may be read after the answer.
      const logged = await waitFor(
        () => {
          const output = product.child.output.slice(before);
          return output.includes(line) ? output : null;
        },
        { what: line },
      );
      const shown = secrets.filter((secret) =>
        (answers.map(({ text }) => text).join() + logged).includes(secret),
      );
      expect([name, shown]).toEqual([name, []]);
    }
  });
});
