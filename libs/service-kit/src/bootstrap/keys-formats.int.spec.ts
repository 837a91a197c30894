import { partsOf } from '../crypto/data-cipher.ts';
import { nameWithKeys } from '../keys/replica-keys.ts';
import { CIPHERS, KeysStage, OLD, oldId } from '../testing/keys-stage.ts';

const { older } = CIPHERS;

describe('main.js keys and values of format v1', () => {
  let stage: KeysStage;
  beforeEach(async () => {
    stage = await KeysStage.start();
  });
  afterEach(() => stage.end());

  const formatsOf = async () => {
    const [account] = await stage.accounts();
    const values = [account?.number ?? '', account?.secrets[0]?.secret ?? ''];
    return [...values, ...(await stage.bodies()).map(({ body }) => body ?? '')].map(
      (value) => partsOf(value)?.format,
    );
  };
  const addV1 = async () => {
    await stage.addAccount('acc_1', older);
    await stage.addKey('answered', '{}', older);
  };

  it('under the same key, when it rotates, then all of them are in v2 and bound to their rows', async () => {
    await addV1();
    expect((await stage.run(['status'], OLD)).line).toBe(
      'orders: keep every key: 3 rows are in another format than v2',
    );
    const { code, lines } = await stage.run(['rotate'], OLD);
    expect([code, lines[0]]).toEqual([
      0,
      'orders  accounts.number  1 rows, 0 under another key, 1 in another format, 1 re-encrypted',
    ]);
    expect(await formatsOf()).toEqual(['v2', 'v2', 'v2']);
    expect((await stage.run(['status'], OLD, 'v2-only')).code).toBe(0);
  });

  it('under another key, when it rotates, then key and format are new', async () => {
    await addV1();
    const { code, lines } = await stage.run(['rotate']);
    expect([code, lines[0]]).toEqual([
      0,
      'orders  accounts.number  1 rows, 1 under another key, 1 re-encrypted',
    ]);
    expect(await formatsOf()).toEqual(['v2', 'v2', 'v2']);
  });

  it('when v1 is refused, then it rewrites none of them, and reports them', async () => {
    await addV1();
    const { code, lines } = await stage.run(['rotate'], OLD, 'v2-only');
    expect([code, lines[0]]).toEqual([
      1,
      'orders  accounts.number  1 rows, 0 under another key, 0 re-encrypted, ' +
        '1 that no key of the list decrypts (format v1, which DATA_ENCRYPTION_FORMAT=v2-only refuses)',
    ]);
    expect(await formatsOf()).toEqual(['v1', 'v1', 'v1']);
  });

  it('when a replica of the previous release is connected, then it does nothing', async () => {
    await addV1();
    const replica = await stage.connect(`fundrail-orders ${oldId}`);
    const { code, line } = await stage.run(['rotate'], OLD);
    await replica.end();
    expect([code, line]).toEqual([
      1,
      'orders: nothing was done: a replica of the previous release runs and could not read format v2: finish the roll-out first',
    ]);
    expect(await formatsOf()).toEqual(['v1', 'v1', 'v1']);
  });

  it('when a replica writes v1 by its variable, then it reports that', async () => {
    const replica = await stage.connect(nameWithKeys('orders', older));
    const { code, line } = await stage.run(['rotate'], OLD);
    await replica.end();
    expect([code, line]).toEqual([
      1,
      'orders: keep every key: a replica writes another format than v2: give it the same DATA_ENCRYPTION_FORMAT',
    ]);
  });

  it('when the previous release has to read them again, then all of them are written in v1', async () => {
    await stage.addAccount('acc_1');
    await stage.addKey('answered', '{}');
    const replica = await stage.connect(`fundrail-orders ${oldId}`);
    const { code } = await stage.run(['rotate'], OLD, 'v1');
    await replica.end();
    expect([code, await formatsOf()]).toEqual([0, ['v1', 'v1', 'v1']]);
  });

  it('given a value of v2 that was copied to another row, then it is reported and not written', async () => {
    await stage.addAccount('acc_1');
    await stage.addAccount('acc_2');
    await stage.client.query("UPDATE accounts SET number = (SELECT number FROM accounts WHERE id = 'acc_1')");
    const { code, lines } = await stage.run(['rotate'], OLD);
    expect([code, lines[0]]).toEqual([
      1,
      'orders  accounts.number  2 rows, 0 under another key, 0 re-encrypted, ' +
        `1 that no key of the list decrypts (${oldId}, altered or of another row)`,
    ]);
  });
});
