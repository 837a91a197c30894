import { createHmac } from 'node:crypto';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ThirdpayServer } from '@fundrail/providers/testing';
import { waitFor } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { createdMandate, untilMandate } from './testing/mandate.ts';
import { ok, payableOrder, untilOrder, untilPayment, untilRefund } from './testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';

/** The one line. */
const LINE = "  thirdpay: { secrets: ['WEBHOOK_SECRET'] },\n";
const TABLE = 'libs/contracts/src/providers.ts';
/** Its Secret in the sandbox follows from its line. */
const SECRET = 'sandbox-thirdpay-webhook-secret-0123456789';
/** Of libs/providers/src/testing/thirdpay, what simulates the provider: it is no part of an adapter. */
const SIMULATION = /^thirdpay-(books|callbacks|server|standings)\.ts$|\.spec\.ts$|^index\.ts$/;
const START_MS = 300_000;

const ROOT = resolve(import.meta.dirname, '../..');
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', '.nx', '.fundrail']);
const run = promisify(execFile);

/** A copy of the repository that a test may change. It has the installed packages of the original. */
class ScratchWorkspace {
  private constructor(readonly folder: string) {}

  static async create(): Promise<ScratchWorkspace> {
    const folder = await mkdtemp(join(tmpdir(), 'fundrail-scratch-'));
    await cp(ROOT, folder, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    await mkdir(join(folder, 'node_modules'));
    for (const name of await readdir(join(ROOT, 'node_modules')))
      if (name === '@fundrail')
        await cp(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), {
          ...{ recursive: true, verbatimSymlinks: true },
        });
      else await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    await symlink(join(ROOT, 'libs/service-kit/node_modules'), join(folder, 'libs/service-kit/node_modules'));
    return new ScratchWorkspace(folder);
  }

  /** Changes one file by a function of its text. */
  async edit(path: string, change: (text: string) => string): Promise<void> {
    const file = join(this.folder, path);
    await writeFile(file, change(await readFile(file, 'utf8')));
  }

  /** Runs Node in it, as the scripts of package.json do. Throws with its output when it fails. */
  async node(...args: readonly string[]): Promise<string> {
    return (await run(process.execPath, [...args], { cwd: this.folder })).stdout;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** Adds its folder, with the paths of a folder of libs/providers/src. */
async function addFolder(workspace: ScratchWorkspace): Promise<void> {
  const { folder } = workspace;
  const [from, to] = ['libs/providers/src/testing/thirdpay', 'libs/providers/src/thirdpay'];
  const names = (await readdir(join(folder, from))).filter((name) => !SIMULATION.test(name));
  for (const name of names) {
    await cp(join(folder, from, name), join(folder, to, name));
    await workspace.edit(join(to, name), (text) => text.replaceAll("'../../", "'../"));
  }
}

// As docs/adding-a-provider.md describes it: thirdpay, added to a copy of the repository by its folder and one line.
describe('a third provider, added by its folder and one line (GATE-10)', () => {
  let workspace: ScratchWorkspace;
  let bank: ThirdpayServer;
  let product: StandaloneProcess;
  let dataDir: string;
  let client: ApiClient;

  beforeAll(async () => {
    workspace = await ScratchWorkspace.create();
    await addFolder(workspace);
    await workspace.edit(TABLE, (text) =>
      text.replace('} as const satisfies', `${LINE}} as const satisfies`),
    );
    await workspace.node('--conditions=@fundrail/source', 'tools/generate-docs.ts');
    await workspace.node('tools/build.mjs');
    bank = await new ThirdpayServer(SECRET, { late: 1, slow: 1 }).listen();
    // The bank does not move with the sandbox's clock.
    bank.standings.leastNoticeMs = 0;
    dataDir = await newDataDir();
    const main = join(workspace.folder, 'apps/standalone/dist/main.js');
    product = await StandaloneProcess.start({ main, dataDir, env: { THIRDPAY_BASE_URL: bank.url } });
    bank.callbacks.receive = ({ raw, headers }) => void report(raw, headers);
    client = await product.client();
  }, START_MS);
  afterAll(async () => {
    await product.stop();
    await bank.stop();
    await Promise.all([dataDir && removeDataDir(dataDir), workspace.remove()]);
  });

  const report = (body: string, headers: object, path = 'thirdpay') =>
    fetch(`${product.url}/callbacks/${path}`, {
      ...{ method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } },
    });
  const paymentOf = async (id: number) => ok(await client.get(`/api/pg/payments/${id}`)).body;
  /** The sandbox's order gateway knows the money of the providers that the simulator plays. So the transfers wait here. */
  const untilPaid = async (id: number) => {
    const isPaid = async () => (await paymentOf(id))['debit_confirmed_at'] !== null;
    await waitFor(isPaid, { limitMs: 60_000, what: `payment ${id} to be paid` });
    expect((await paymentOf(id))['status']).toMatch(/^(SUCCESS|INITIATED)$/);
  };
  const confirm = async (id: string) => {
    ok(await client.patch('/v2/mf_purchases', { id, state: 'confirmed' }));
  };

  /** A payment that the investor has the link of. */
  const payable = async () => {
    const order = await payableOrder(client);
    const asked = {
      amc_order_ids: [order.oldId],
      method: 'UPI',
      upi: { type: 'URI' },
      provider_name: 'THIRDPAY',
    };
    const postback = { payment_postback_url: 'http://localhost:8080/done' };
    const { body } = ok(await client.post('/api/pg/payments/netbanking', { ...asked, ...postback }));
    const id = Number(body['id']);
    await confirm(order.id);
    const uriOf = async () => ((await paymentOf(id))['upi'] as { uri: string | null }).uri;
    expect(await waitFor(uriOf, { what: `the link of payment ${id}` })).toMatch(
      /^upi:\/\/pay\?pa=op\.mf@validthird&/,
    );
    return id;
  };
  const authorised = async () => {
    const mandate = await createdMandate(client, { provider_name: 'THIRDPAY' });
    const asked = { mandate_id: mandate, upi: { type: 'uri' } };
    const { body } = ok(await client.post('/api/pg/payments/emandate/auth', asked));
    expect(body['upi']).toMatchObject({
      uri: expect.stringMatching(/^upi:\/\/mandate\?pa=op\.mf@validthird&/),
    });
    bank.standings.pay(Number(body['id']));
    await untilPayment(client, Number(body['id']), 'SUCCESS');
    await untilMandate(client, mandate, 'APPROVED');
    return mandate;
  };

  it('takes a payment', async () => {
    const id = await payable();
    bank.books.end(id, 'paid');
    await untilPaid(id);
    expect(await paymentOf(id)).toMatchObject({ provider_name: 'THIRDPAY', refunds: [] });
  });

  it('gives money back that was paid twice', async () => {
    const id = await payable();
    bank.books.end(id, 'paid');
    await untilPaid(id);
    bank.books.again(id);
    await untilRefund(client, id, 'SUCCESSFUL');
    expect(await paymentOf(id)).toMatchObject({ refunds: [{ amount: 5000, reason: 'duplicate_payment' }] });
  });

  it('registers a mandate that the investor pauses and resumes, and we revoke', async () => {
    const mandate = await authorised();
    bank.standings.act(mandate, 'resting');
    await untilMandate(client, mandate, 'PAUSED');
    bank.standings.act(mandate, 'running');
    await untilMandate(client, mandate, 'APPROVED');
    const { body } = ok(await client.post(`/api/pg/mandates/${mandate}/cancel`, {}));
    const token = String(body['mandate_token']);
    const isEnded = () => (bank.standings.tokenOf(token).body as { state: string }).state === 'ended';
    await waitFor(isEnded, { what: `${token} to end` });
  });

  it('debits a mandate after a notice', async () => {
    const mandate = await authorised();
    const order = await payableOrder(client, 2500);
    const debit = { mandate_id: mandate, amc_order_ids: [order.oldId] };
    const payment = Number(ok(await client.post('/api/pg/payments/nach', debit)).body['id']);
    await confirm(order.id);
    await untilOrder(client, order, 'submitted');
    ok(await client.post('/sandbox/clock', { advance: 'P2D' }));
    await untilPaid(payment);
    expect(await paymentOf(payment)).toMatchObject({ payment_type: 'NACH', provider_name: 'THIRDPAY' });
  });

  it('is refused a mandate of a type that it does not take, when it is created (MAN-24)', async () => {
    const { bank_account_id } = ok(await client.get('/sandbox/seed')).body;
    const asked = {
      mandate_type: 'E_MANDATE',
      bank_account_id,
      provider_name: 'THIRDPAY',
      mandate_limit: 5000,
    };
    const { status, body } = await client.post('/api/pg/mandates', asked);
    expect([status, (body['error'] as { code: string }).code]).toEqual([422, 'PROVIDER_REFUSED']);
  });

  it('is believed only what it has signed, and only at its address (GATE-7)', async () => {
    const raw = JSON.stringify({ id: 'event', reference: 'P1' });
    const signature = createHmac('sha256', SECRET).update(raw).digest('base64');
    const statusOf = async (signed: string, path?: string) =>
      (await report(raw, { 'thirdpay-signature': signed }, path)).status;
    expect(await statusOf(signature)).toBe(200);
    expect(await statusOf('forged')).toBe(400);
    expect(await statusOf(signature, 'nobody')).toBe(404);
  });
});
