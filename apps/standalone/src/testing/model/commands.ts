import type { PaymentDto } from '@fundrail/contracts';
import fc from 'fast-check';
import { brokenRules } from './invariants.ts';
import type { ModelStage } from './model-stage.ts';
import { rupees } from './outside-world.ts';
import type { Mood } from './outside-world.ts';

interface Paid {
  readonly id: number;
  readonly reference: string;
  readonly provider: string;
  readonly orders: readonly number[];
}

/** What the test knows without asking: which orders there are, and whose payment holds them. */
export interface Model {
  readonly orders: readonly { readonly old_id: number; readonly id: string }[];
  readonly payments: Paid[];
}

type Status = PaymentDto['status'];
type Run = (model: Model, stage: ModelStage) => Promise<void>;

/** A command of fast-check that ends in quiet, and then proves every rule. */
class Step implements fc.AsyncCommand<Model, ModelStage> {
  constructor(
    private readonly name: string,
    private readonly act: Run,
    private readonly needsPayment = true,
  ) {}

  check({ payments }: Readonly<Model>): boolean {
    return !this.needsPayment || payments.length > 0;
  }

  async run(model: Model, stage: ModelStage): Promise<void> {
    await this.act(model, stage);
    await stage.quiet();
    expect(await brokenRules(stage, idsOf(model))).toEqual([]);
  }

  toString(): string {
    return this.name;
  }
}

const idsOf = (model: Model) => model.payments.map((payment) => payment.id);
const MINUTE = 60_000;
const FLOWS = {
  uri: { method: 'UPI', upi: { type: 'uri' } },
  collect: { method: 'UPI', upi: { type: 'collect', vpa: 'somebody@upi' } },
  sdk: {},
} as const;
type Flow = keyof typeof FLOWS;

async function paymentOf(stage: ModelStage, id: number): Promise<PaymentDto> {
  const { body } = await stage.send('GET', `/api/pg/payments/${id}`);
  return body as PaymentDto & Record<string, unknown>;
}

const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
};

function create(first: number, second: number, flow: Flow): Run {
  return async (model, stage) => {
    const chosen = [...new Set([at(model.orders, first), at(model.orders, second)])].map((o) => o.old_id);
    const orders = await stage.rows<{ state: string; claimed_by: number | null }>(
      'orders',
      'SELECT state, claimed_by FROM mf_orders WHERE old_id = ANY($1)',
      [chosen],
    );
    const free = orders.every(
      ({ state, claimed_by }) => ['pending', 'submitted'].includes(state) && claimed_by === null,
    );
    const { status, body } = await stage.send('POST', '/api/pg/payments/netbanking', {
      amc_order_ids: chosen,
      payment_postback_url: 'https://app.example/back',
      ...FLOWS[flow],
    });
    const heard = flow !== 'sdk' || stage.world.mood === 'well';
    expect(status).toBe(free ? (heard ? 200 : 503) : 409);
    if (status !== 200) return;
    const id = Number(body['id']);
    const provider = flow === 'sdk' ? 'SDKVENDOR' : 'GATEWAYPOA';
    model.payments.push({ id, reference: `P${String(id).padStart(12, '0')}`, provider, orders: chosen });
  };
}

function confirm(which: number): Run {
  return async (model, stage) => {
    const { id } = at(model.orders, which);
    const [order] = await stage.rows<{ state: string; claimed_by: number | null }>(
      'orders',
      'SELECT state, claimed_by FROM mf_orders WHERE id = $1',
      [id],
    );
    const { status } = await stage.send('PATCH', '/v2/mf_purchases', { id, state: 'confirmed' });
    expect(status).toBe(order?.state === 'pending' && order.claimed_by !== null ? 200 : 409);
  };
}

/** The investor pays, as far as there is anything to pay: in time, late, twice, or another amount. */
function pay(which: number, extra: string): Run {
  return (model, stage) => {
    const { reference } = at(model.payments, which);
    const account = stage.world.accounts.get(reference);
    if (account && account.captures.length < 3)
      stage.world.pay(reference, account.amount.plus(rupees(extra)));
    return Promise.resolve();
  };
}

/** The provider tells of one capture, perhaps of one that was told before; `twice`: under the same event id. */
function tell(which: number, capture: number, twice: boolean): Run {
  return async (model, stage) => {
    const { id, reference, provider } = at(model.payments, which);
    const account = stage.world.accounts.get(reference);
    const money = account && account.captures.length > 0 ? at(account.captures, capture) : null;
    if (!account || !money) return;
    const before = await paymentOf(stage, id);
    const known = await stage.rows<{ id: string }>(
      'payments',
      'SELECT provider_reference AS id FROM captures WHERE payment_id = $1',
      [id],
    );
    const event = await stage.callBack(provider, reference, account.captures.indexOf(money));
    if (twice) await stage.callBack(provider, reference, account.captures.indexOf(money), event);
    await stage.quiet();
    const after = await paymentOf(stage, id);
    const told = known.some((row) => row.id === money.id);
    expect(outcomesOf(before.status, told, money.amount.equals(account.amount))).toContain(after.status);
    const late = !told && known.length === 0 && before.status === 'FAILED';
    expect(after.late_auth).toBe(before.late_auth || late);
    expect(after.refunds.length - before.refunds.length).toBeGreaterThanOrEqual(
      !told && (before.status !== 'PENDING' || after.status === 'FAILED') ? 1 : 0,
    );
  };
}

/** Where money that is told takes a payment; one that is paid may go on by itself. */
function outcomesOf(before: Status, told: boolean, exact: boolean): readonly Status[] {
  const onward: Readonly<Record<Status, readonly Status[]>> = {
    PENDING: ['SUCCESS', 'INITIATED', 'REJECTED'],
    SUBMITTED: ['SUCCESS', 'INITIATED', 'REJECTED'],
    SUCCESS: ['SUCCESS', 'INITIATED', 'REJECTED'],
    INITIATED: ['INITIATED', 'APPROVED', 'REJECTED'],
    APPROVED: ['APPROVED'],
    FAILED: ['FAILED'],
    REJECTED: ['REJECTED'],
  };
  if (before === 'PENDING' && told) return ['PENDING'];
  return before === 'PENDING' && !exact ? ['FAILED'] : onward[before];
}

function decline(which: number): Run {
  return async (model, stage) => {
    const { id, reference, provider } = at(model.payments, which);
    const account = stage.world.accounts.get(reference);
    if (!account || account.captures.length > 0 || account.failed) return;
    account.failed = 'insufficient_funds';
    const before = await paymentOf(stage, id);
    await stage.callBack(provider, reference);
    const { status, failure_code } = await paymentOf(stage, id);
    expect(status).toBe(before.status === 'PENDING' ? 'FAILED' : before.status);
    if (before.status === 'PENDING') expect(failure_code).toBe('insufficient_funds');
  };
}

function cancel(which: number): Run {
  return async (model, stage) => {
    const { id, reference } = at(model.payments, which);
    const before = await paymentOf(stage, id);
    const { status } = await stage.send('POST', `/api/pg/payments/${id}/cancel`);
    if (before.status !== 'PENDING') {
      expect(status).toBe(409);
      return;
    }
    const account = stage.world.accounts.get(reference);
    if (stage.world.mood === 'well') expect(status).toBe((account?.captures.length ?? 0) > 0 ? 409 : 200);
    else expect([200, 409, 503]).toContain(status);
  };
}

function endTransfer(which: number, end: 'settled' | 'rejected', isTold: boolean): Run {
  return async (model, stage) => {
    const { id } = at(model.payments, which);
    const reference = `T${String(id).padStart(12, '0')}`;
    const transfer = stage.world.transfers.get(reference);
    if (transfer?.status !== 'waiting') return;
    transfer.status = end;
    if (!isTold) return;
    await stage.callBack('GATEWAYPOA', reference);
    expect((await paymentOf(stage, id)).status).toBe(end === 'settled' ? 'APPROVED' : 'REJECTED');
  };
}

/** By the operator: the share of one order, or all. */
function refund(which: number, part: boolean): Run {
  return async (model, stage) => {
    const { id, orders } = at(model.payments, which);
    const before = await paymentOf(stage, id);
    const covered = before.refunds.flatMap((row) => row.amc_order_ids);
    const left = orders.filter((order) => !covered.includes(order));
    const body = part && left[0] !== undefined ? { amc_order_ids: [left[0]] } : {};
    const { status } = await stage.send('POST', `/api/pg/payments/${id}/refunds`, body, true);
    expect(status).toBe(before.status === 'SUCCESS' ? 200 : 409);
  };
}

const which = fc.nat(2);
const step = (name: string, act: Run, needsPayment = true) => new Step(name, act, needsPayment);

const creations = fc
  .tuple(which, which, fc.constantFrom<Flow>('uri', 'collect', 'sdk'))
  .map(([a, b, flow]) => step(`create(${a}, ${b}, ${flow})`, create(a, b, flow), false));
const confirmations = which.map((n) => step(`confirm(${n})`, confirm(n), false));
const payments = fc
  .tuple(which, fc.constantFrom('0', '0', '0', '0', '1', '0.01'))
  .map(([n, extra]) => step(`pay(${n}, +${extra})`, pay(n, extra)));
const callbacks = fc
  .tuple(which, fc.nat(2), fc.boolean())
  .map(([n, capture, twice]) => step(`tell(${n}, ${capture}, ${twice})`, tell(n, capture, twice)));
const ends = fc
  .tuple(which, fc.constantFrom('settled' as const, 'settled' as const, 'rejected' as const), fc.boolean())
  .map(([n, end, isTold]) => step(`endTransfer(${n}, ${end}, ${isTold})`, endTransfer(n, end, isTold)));
const refunds = fc
  .tuple(which, fc.boolean())
  .map(([n, part]) => step(`refund(${n}, ${part})`, refund(n, part)));
const moods = fc
  .constantFrom<Mood>('well', 'well', 'well', 'silent', 'lost')
  .map((mood) => step(`mood(${mood})`, (_, { world }) => Promise.resolve(void (world.mood = mood)), false));
const clockSteps = fc
  .constantFrom(1, 1, 1, 6, 31, 13 * 60)
  .map((minutes) => step(`pass(${minutes})`, (_, stage) => stage.pass(minutes * MINUTE), false));

/** Every command, with what it may choose; the usual ones more often, so that sequences get far. */
export const COMMANDS: fc.Arbitrary<fc.AsyncCommand<Model, ModelStage>>[] = [
  ...[creations, creations, creations, confirmations, confirmations, confirmations, confirmations],
  ...[payments, payments, payments, callbacks, callbacks, callbacks, ends, ends, clockSteps, moods],
  ...[refunds, which.map((n) => step(`decline(${n})`, decline(n)))],
  which.map((n) => step(`cancel(${n})`, cancel(n))),
];

/** The outside answers again, and days pass: everything that was under way has ended, and nothing is held. */
export async function comeToRest(model: Model, stage: ModelStage): Promise<void> {
  stage.world.mood = 'well';
  for (const hours of [1, 1, 24, 24, 24, 24]) {
    for (const transfer of stage.world.transfers.values())
      if (transfer.status === 'waiting') transfer.status = 'settled';
    await stage.pass(hours * 60 * MINUTE);
  }
  expect(await brokenRules(stage, idsOf(model))).toEqual([]);
  const open = await stage.rows(
    'payments',
    `SELECT p.id, p.status FROM payments p WHERE id = ANY($1) AND (status NOT IN ('APPROVED', 'FAILED', 'REJECTED')
       OR EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'CREATED'))`,
    [idsOf(model)],
  );
  expect(open).toEqual([]);
}
