import type { ModelStage } from './model-stage.ts';
import type { Model, Run } from './model.ts';
import { openPage, registrarSays, tryOnPage } from './outside-acts.ts';
import { confirm, create, endTransfer, pay, reportCapture, type Flow } from './payment-acts.ts';

const MINUTE_MS = 60_000;
const HALF_AN_HOUR_MS = 30 * MINUTE_MS;

/**
 * Runs acts one after another on the payment that the first one has created, and waits for all work after each. Does nothing if there is no
 * payment.
 */
async function inTurn(
  model: Model,
  stage: ModelStage,
  first: Run,
  then: (payment: number) => readonly Run[],
): Promise<void> {
  const before = model.payments.length;
  await first(model, stage);
  if (model.payments.length === before) return;
  for (const act of then(before)) {
    await stage.quiet();
    await act(model, stage);
  }
}

/** How far a purchase goes: to the money, to the settled transfer, or through the registrar's decisions. */
export type PurchaseEnd = 'paid' | 'settled' | 'successful' | 'reversed';

/** A purchase from its creation to that end. */
export function purchase(one: number, other: number, flow: Flow, end: PurchaseEnd): Run {
  return (model, stage) =>
    inTurn(model, stage, create(one, other, flow), (payment) => [
      confirm(one),
      ...(one === other ? [] : [confirm(other)]),
      pay(payment, '0'),
      reportCapture(payment, 0, false),
      ...(end === 'paid' ? [] : [endTransfer(payment, 'settled', true)]),
      ...(end === 'successful' || end === 'reversed' ? [registrarSays(one, 'successful', true)] : []),
      ...(end === 'reversed' ? [registrarSays(one, 'reversed', true)] : []),
    ]);
}

/** From the creation to an attempt on the hosted page. */
export function payOnPage(one: number): Run {
  return (model, stage) =>
    inTurn(model, stage, create(one, one, 'sdk'), (payment) => [
      openPage(payment),
      tryOnPage(payment, 'netbanking'),
    ]);
}

/** Paid by SDK in the evening, and confirmed after 23:00, or two minutes before it, when the event may reach payments too late. */
export function confirmedLate(one: number, when: 'before' | 'after'): Run {
  return async (model, stage) => {
    await stage.toTheNight(-HALF_AN_HOUR_MS - 10 * MINUTE_MS);
    await inTurn(model, stage, create(one, one, 'sdk'), (payment) => [
      pay(payment, '0'),
      reportCapture(payment, 0, false),
      () => stage.toTheNight(-2 * MINUTE_MS),
      ...(when === 'before' ? [confirm(one)] : []),
      () => stage.toTheNight(MINUTE_MS),
      confirm(one),
    ]);
  };
}
