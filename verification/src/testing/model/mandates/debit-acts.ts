import { addDays, istDate, type PaymentFailureCode } from '@fundrail/contracts';
import type { RegistrarWord } from '../outside-world.ts';
import { pathOf } from './mandate-acts.ts';
import { mandateOf, one, paymentOf, type ModelMandate, type Run } from './mandates-model.ts';
import type { MandatesStage } from './mandates-stage.ts';
import type { Attempt, MandatesWorld } from './mandates-world.ts';

/** Every order of the model, in rupees. */
const AMOUNT = 1000;
/** The day of an e-mandate's debit, or of a debit with a notice at night, is at most this many days ahead. */
const FARTHEST_DEBIT = 6;

interface OrderNow {
  readonly state: string;
  readonly claimed_by: number | null;
}

async function orderNow(stage: MandatesStage, old_id: number): Promise<OrderNow> {
  const text = 'SELECT state, claimed_by FROM mf_orders WHERE old_id = $1';
  const [row] = await stage.rows<OrderNow>('orders', text, [old_id]);
  if (!row) throw new Error(`there is no order ${old_id}`);
  return row;
}

/** The possible answers to a debit: a code for each obstacle (DEB-2). */
async function debitAnswers(
  stage: MandatesStage,
  mandate: ModelMandate,
  { state, claimed_by }: OrderNow,
): Promise<readonly number[]> {
  const { mandate_status, mandate_limit, valid_from, valid_to } = await mandateOf(stage, mandate.id);
  const today = istDate(stage.clock.now());
  const isHeld = claimed_by !== null;
  const mayGiveWay = isHeld && (await isDead(stage, claimed_by));
  const isFree = ['pending', 'submitted'].includes(state) && (!isHeld || mayGiveWay);
  if (!isFree || mandate_status !== 'APPROVED' || today > valid_to) return [409];
  if (Number(mandate_limit) < AMOUNT) return [422, 409];
  const isSure = addDays(today, FARTHEST_DEBIT) <= valid_to && today >= valid_from;
  return isSure && !isHeld ? [200] : [200, 409];
}

/** A payment that was never stored, or has failed, no longer holds its orders. */
async function isDead(stage: MandatesStage, payment: number): Promise<boolean> {
  const [row] = await stage.rows<{ status: string }>(
    'payments',
    'SELECT status FROM payments WHERE id = $1',
    [payment],
  );
  return row === undefined || row.status === 'FAILED';
}

/** `POST /nach`, or the internal route that plans use. */
export function debit(whichMandate: number, whichOrder: number, way: 'nach' | 'internal'): Run {
  return async (model, stage) => {
    const mandate = one(model.mandates, whichMandate);
    const order = one(model.orders, whichOrder);
    if (!mandate || !order) return;
    const { excuses } = stage;
    const answers = await debitAnswers(stage, mandate, await orderNow(stage, order.old_id));
    if (way === 'internal') return raise(model, stage, mandate.id, order, answers);
    const { status, body } = await stage.send('POST', '/api/pg/payments/nach', {
      mandate_id: mandate.id,
      amc_order_ids: [order.old_id],
    });
    expect([...answers, ...excuses]).toContain(status);
    if (status === 200)
      model.debits.push({ id: Number(body['id']), mandate: mandate.id, order: order.old_id });
  };
}

/** On the internal route there is one debit for each order: a repeated request returns the first answer. */
const raise = async (
  model: Parameters<Run>[0],
  stage: MandatesStage,
  mandate_id: number,
  order: { readonly old_id: number; readonly id: string },
  answers: readonly number[],
): Promise<void> => {
  const { excuses } = stage;
  const earlier = model.debits.filter((one) => one.order === order.old_id);
  const { status, body } = await stage.send('POST', '/internal/payments/debits', {
    ...{ tenant: 'demo', mandate_id, old_id: order.old_id, order_id: order.id },
  });
  if (status !== 200) {
    expect(excuses).toContain(status);
    return;
  }
  if (body['outcome'] !== 'raised') return;
  const id = Number(body['payment_id']);
  if (earlier.some((one) => one.id === id)) return;
  expect(answers).toContain(200);
  model.debits.push({ id, mandate: mandate_id, order: order.old_id });
};

export function confirm(which: number): Run {
  return async (model, stage) => {
    const order = one(model.orders, which);
    if (!order) return;
    const { state, claimed_by } = await orderNow(stage, order.old_id);
    const { status } = await stage.send('PATCH', '/v2/mf_purchases', { id: order.id, state: 'confirmed' });
    expect(status).toBe(state === 'pending' && claimed_by !== null ? 200 : 409);
  };
}

export function cancelOrder(which: number): Run {
  return async (model, stage) => {
    const order = one(model.orders, which);
    if (!order) return;
    const { state, claimed_by } = await orderNow(stage, order.old_id);
    const { status } = await stage.send('POST', `/v2/mf_purchases/${order.id}/cancel`);
    expect(status).toBe(state === 'pending' && claimed_by === null ? 200 : 409);
  };
}

/** Only while PENDING; a debit that is under way at the bank is not cancelled. */
export function cancelPayment(which: number): Run {
  return async (model, stage) => {
    const payment = one([...model.debits, ...model.authorisations], which);
    if (!payment) return;
    const before = await paymentOf(stage, payment.id);
    const { status } = await stage.send('POST', `/api/pg/payments/${payment.id}/cancel`);
    if (before.status !== 'PENDING') expect(status).toBe(409);
    else expect([200, 409, 503]).toContain(status);
    if (status === 200) expect((await paymentOf(stage, payment.id)).status).toBe('FAILED');
  };
}

/** The final result of an attempt at the bank. */
export type DebitEnd = 'paid' | PaymentFailureCode;

/** The bank ends an attempt. */
export function endDebit(which: number, end: DebitEnd, isReported: boolean): Run {
  return async (_, stage) => {
    const open = [...stage.world.attempts.values()].filter(
      ({ captures, failure }) => captures.length === 0 && failure === null,
    );
    const attempt = one(open, which);
    if (attempt) await settle(stage, attempt, end, isReported);
  };
}

export async function settle(
  stage: MandatesStage,
  attempt: Attempt,
  end: DebitEnd,
  isReported: boolean,
): Promise<void> {
  const { world } = stage;
  if (end === 'paid') for (let time = 0; time < attempt.worked; time += 1) capture(world, attempt);
  else attempt.failure = end;
  reportAttempt(world, attempt);
  if (isReported) await stage.sendReport(world.reports.length - 1);
}

/** Money comes twice or late: the same attempt is captured once more, or an attempt that was reported as failed is. */
export function captureMore(which: number, kind: 'twice' | 'late', isReported: boolean): Run {
  return async (_, stage) => {
    const { world } = stage;
    const some = [...world.attempts.values()].filter(({ captures, failure }) =>
      kind === 'twice' ? captures.length === 1 : captures.length === 0 && failure !== null,
    );
    const attempt = one(some, which);
    if (!attempt || attempt.failure === 'mandate_cancelled') return;
    await takeAfterAll(stage, attempt, isReported);
  };
}

/** Money moves for an attempt whose outcome was already reported. */
export async function takeAfterAll(
  stage: MandatesStage,
  attempt: Attempt,
  isReported: boolean,
): Promise<void> {
  const { world } = stage;
  capture(world, attempt);
  reportAttempt(world, attempt);
  if (isReported) await stage.sendReport(world.reports.length - 1);
}

function capture(
  world: MandatesWorld,
  { debit: { payment_reference, amount, reference }, captures }: Attempt,
) {
  const id = `c${reference}n${captures.length}`;
  captures.push({ provider_reference: id, amount, currency: 'INR' });
  world.account(payment_reference).captures.push({ id, amount });
}

function reportAttempt(world: MandatesWorld, attempt: Attempt): void {
  const { provider, debit } = attempt;
  const fact = {
    about: 'debit',
    attempt_reference: debit.reference,
    payment: world.statusOfAttempt(attempt),
  } as const;
  const callback = { event_id: `e${world.reports.length}`, reference: debit.payment_reference, fact };
  world.report({ provider, path: pathOf(provider), callback });
}

/** The provider reports the delivery of a notice later. */
export function reportNotice(which: number, status: 'delivered' | 'failed'): Run {
  return async (_, stage) => {
    const { world } = stage;
    const notice = one([...world.notices.values()], which);
    const provider = notice && world.tokens.get(notice.debit.mandate.mandate_token)?.provider;
    if (!notice || !provider) return;
    const { payment_reference: reference, notice_number } = notice.debit;
    const answer = status === 'failed' ? { status, message: '' } : { status, proof: 'it was read', at: null };
    const fact = { about: 'notice', notice_number, notice: answer } as const;
    const onReceived = () => void (notice.failed ||= status === 'failed');
    const callback = { event_id: `e${world.reports.length}`, reference, fact };
    world.report({ provider, path: pathOf(provider), callback, onReceived });
    await stage.sendReport(world.reports.length - 1);
  };
}

/** The money arrives at the registrar, or is sent back. */
export function endTransfer(which: number, end: 'settled' | 'rejected'): Run {
  return (_, stage) => {
    const waiting = [...stage.world.transfers.values()].filter(({ status }) => status === 'waiting');
    const transfer = one(waiting, which);
    if (transfer) transfer.status = end;
    return Promise.resolve();
  };
}

export function registrarSays(which: number, word: Exclude<RegistrarWord, 'waiting' | 'reversed'>): Run {
  return async (model, stage) => {
    const { orders, transfers } = stage.world;
    const order = one(model.orders, which);
    if (!order || orders.get(order.id) !== 'waiting') return;
    const isPaid = [...transfers.values()].some(
      ({ transfer, status }) =>
        status === 'settled' && transfer.shares.some(({ old_id }) => old_id === order.old_id),
    );
    if (word === 'successful' && !isPaid) return;
    orders.set(order.id, word);
    await stage.reportOrder(order.id);
  };
}
