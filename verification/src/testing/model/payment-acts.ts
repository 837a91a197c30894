import type { PaymentDto } from '@fundrail/contracts';
import { referenceOf } from './invariants.ts';
import type { ModelStage } from './model-stage.ts';
import { at, paymentOf, type Run } from './model.ts';
import { rupees } from './outside-world.ts';

type Status = PaymentDto['status'];

const FLOWS = {
  uri: { method: 'UPI', upi: { type: 'uri' } },
  collect: { method: 'UPI', upi: { type: 'collect', vpa: 'somebody@upi' } },
  sdk: {},
} as const;
export type Flow = keyof typeof FLOWS;

export function create(first: number, second: number, flow: Flow): Run {
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
    const isAnswered = flow !== 'sdk' || stage.world.mood === 'well';
    // With late events, an order may still be held by a dead payment, and an order that payments has freed may not be free yet.
    if (stage.isLate) expect([200, 409, ...(isAnswered ? [] : [503])]).toContain(status);
    else expect(status).toBe(free ? (isAnswered ? 200 : 503) : 409);
    if (status !== 200) return;
    const id = Number(body['id']);
    const provider = flow === 'sdk' ? 'SDKVENDOR' : 'GATEWAYPOA';
    model.payments.push({ id, reference: referenceOf(id), provider, orders: chosen, page: null });
  };
}

export function confirm(which: number): Run {
  return async (model, stage) => {
    const { id, old_id } = at(model.orders, which);
    const [order] = await stage.rows<{
      state: string;
      claimed_by: number | null;
      given_up_by: number | null;
    }>('orders', 'SELECT state, claimed_by, given_up_by FROM mf_orders WHERE id = $1', [id]);
    const { status } = await stage.send('PATCH', '/v2/mf_purchases', { id, state: 'confirmed' });
    const holder = order && order.claimed_by !== order.given_up_by ? order.claimed_by : null;
    expect(status).toBe(order?.state === 'pending' && holder !== null ? 200 : 409);
    if (status === 200 && holder !== null) model.confirmed.push({ old_id, payment: holder });
  };
}

/** The investor pays if there is something to pay: in time, late, twice, or another amount. */
export function pay(which: number, extra: string): Run {
  return (model, stage) => {
    const { reference } = at(model.payments, which);
    const account = stage.world.accounts.get(reference);
    if (account && account.captures.length < 3)
      stage.world.pay(reference, account.amount.plus(rupees(extra)));
    return Promise.resolve();
  };
}

/** The provider reports one capture, perhaps for the second time; `twice`: under the same event id. */
export function reportCapture(which: number, capture: number, twice: boolean): Run {
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
    const isKnown = known.some((row) => row.id === money.id);
    expect(outcomesOf(before.status, isKnown, money.amount.equals(account.amount))).toContain(after.status);
    const late = !isKnown && known.length === 0 && before.status === 'FAILED';
    expect(after.late_auth).toBe(before.late_auth || late);
    expect(after.refunds.length - before.refunds.length).toBeGreaterThanOrEqual(
      !isKnown && (before.status !== 'PENDING' || after.status === 'FAILED') ? 1 : 0,
    );
  };
}

/** The possible states of a payment after a capture was reported; a paid one may go on by itself. */
function outcomesOf(before: Status, isKnown: boolean, exact: boolean): readonly Status[] {
  const onward: Readonly<Record<Status, readonly Status[]>> = {
    PENDING: ['SUCCESS', 'INITIATED', 'REJECTED'],
    SUBMITTED: ['SUCCESS', 'INITIATED', 'REJECTED'],
    SUCCESS: ['SUCCESS', 'INITIATED', 'REJECTED'],
    INITIATED: ['INITIATED', 'APPROVED', 'REJECTED'],
    APPROVED: ['APPROVED'],
    FAILED: ['FAILED'],
    REJECTED: ['REJECTED'],
  };
  if (before === 'PENDING' && isKnown) return ['PENDING'];
  return before === 'PENDING' && !exact ? ['FAILED'] : onward[before];
}

/** The last attempt fails. On an opened page the investor may try again; otherwise the payment ends (decision 0012). */
export function decline(which: number): Run {
  return async (model, stage) => {
    const { id, reference, provider } = at(model.payments, which);
    const account = stage.world.accounts.get(reference);
    if (!account || account.captures.length > 0 || account.failed) return;
    account.failed = 'insufficient_funds';
    const before = await paymentOf(stage, id);
    const mayTryAgain = await isPageOpen(stage, id);
    await stage.callBack(provider, reference);
    await stage.quiet();
    const { status, failure_code } = await paymentOf(stage, id);
    if (mayTryAgain || before.status !== 'PENDING') expect(status).toBe(before.status);
    else expect(['PENDING', 'FAILED']).toContain(status);
    if (before.status === 'PENDING' && status === 'PENDING' && !mayTryAgain)
      // The end was started and not answered: for a page the provider has to be called once more.
      expect(stage.world.mood).not.toBe('well');
    if (before.status === 'PENDING' && status === 'FAILED')
      expect(['insufficient_funds', 'user_cancelled', 'payment_expired']).toContain(failure_code);
  };
}

/** Whether its hosted page was opened and no end of the payment was started. */
async function isPageOpen(stage: ModelStage, id: number): Promise<boolean> {
  const [row] = await stage.rows<{ open: boolean }>(
    'payments',
    `SELECT state = 'opened' AND status = 'PENDING' AS open FROM checkouts JOIN payments ON id = payment_id WHERE id = $1`,
    [id],
  );
  return row?.open ?? false;
}

export function cancel(which: number): Run {
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

export function endTransfer(which: number, end: 'settled' | 'rejected', isReported: boolean): Run {
  return async (model, stage) => {
    const { id } = at(model.payments, which);
    const reference = `T${String(id).padStart(12, '0')}`;
    const transfer = stage.world.transfers.get(reference);
    if (transfer?.status !== 'waiting') return;
    transfer.status = end;
    if (!isReported) return;
    await stage.callBack('GATEWAYPOA', reference);
    expect((await paymentOf(stage, id)).status).toBe(end === 'settled' ? 'APPROVED' : 'REJECTED');
  };
}

/** By the operator: the share of one order, or all. */
export function refund(which: number, part: boolean): Run {
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
