import type { ModelStage } from './model-stage.ts';
import type { Model, Run } from './model.ts';
import { openPage, registrarSays, tryOnPage } from './outside-acts.ts';
import { confirm, create, endTransfer, pay, tell } from './payment-acts.ts';
import type { Flow } from './payment-acts.ts';

/** Acts one after another, each in quiet, over the payment that the first one has made; nothing when it has made none. */
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

/** How far a purchase goes: to the money, to the settled transfer, or to the registrar's words one after the other. */
export type PurchaseEnd = 'paid' | 'settled' | 'successful' | 'reversed';

/** From the creation to that end. */
export function purchase(one: number, other: number, flow: Flow, end: PurchaseEnd): Run {
  return (model, stage) =>
    inTurn(model, stage, create(one, other, flow), (payment) => [
      confirm(one),
      ...(one === other ? [] : [confirm(other)]),
      pay(payment, '0'),
      tell(payment, 0, false),
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
