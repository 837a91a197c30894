import { addDays } from '@fundrail/contracts';
import type { Answer } from './buyer-app.ts';
import { tableOf } from './installment-table.ts';
import { authorised } from './mandate-flow.ts';
import { expectSame, type Stage } from './walks.ts';

const PLANS = '/v2/mf_purchase_plans';
const SCHEME = 'INF209K01VD7';
const COLUMNS = ['no.', 'date', 'amount', 'state', 'why'] as const;
/** The bank refuses every debit of an amount whose last whole rupee is 3. */
const WITHOUT_FUNDS = 3;
/** Longer than the retries of a debit take. */
const DAYS_OF_RETRIES = 3;

/** A systematic purchase plan: a step-up, a pause, a failed installment that is paid by hand, and three failures that end the plan. */
export async function sipFlow(stage: Stage): Promise<void> {
  const { app, hooks, transcript } = stage;
  const mandate = await authorised(stage);
  transcript.heading('A purchase of ₹1000 a month, collected by the mandate; ₹500 more after half a year');
  const plan = String((await activePlan(stage, mandate))['id']);
  const why = new Map<number, string>();
  await collected(stage, plan);

  transcript.say('The investor pauses the plan for one installment.');
  await app.post(`${PLANS}/${plan}/pause`, { installments: 1 });
  await hooks.waitFor('mf_purchase_plan.paused', plan);
  const skipped = await nextInstallment(stage, plan);
  await hooks.waitFor('mf_purchase.cancelled', skipped['id']);
  why.set(2, 'paused');

  transcript.say('The account has no money for the next one. The investor pays it by UPI.');
  await changeAmount(stage, plan, 1000 + WITHOUT_FUNDS);
  await paidByHand(stage, await nextInstallment(stage, plan, DAYS_OF_RETRIES));
  why.set(3, 'the debit failed, paid by UPI');

  await changeAmount(stage, plan, 1000);
  for (let number = 4; number <= 6; number += 1) await collected(stage, plan);
  await collected(stage, plan);
  why.set(7, 'stepped up');

  transcript.say('The account has no money any more, and no payment is made.');
  await changeAmount(stage, plan, 1500 + WITHOUT_FUNDS);
  for (let number = 8; number <= 10; number += 1) {
    const unpaid = await nextInstallment(stage, plan);
    await app.moveClock({ now: String(unpaid['payable_until']) });
    await hooks.waitFor('mf_purchase.failed', unpaid['id']);
    why.set(number, 'not paid in time');
  }
  const ended = await hooks.waitFor('mf_purchase_plan.cancelled', plan);
  expectSame('whether the plan has ended itself', ended['auto_cancelled'], true);
  transcript.say(`The plan has ended: ${String(ended['cancellation_code'])}`);

  const { data } = await app.get(`/v2/mf_purchases?plan=${plan}`);
  const installments = (data as Answer[]).toReversed();
  expectSame('the number of installments', installments.length, 10);
  expectSame('the amount after the step', installments[6]?.['amount'], 1500);
  transcript.say(tableOf([COLUMNS, ...installments.map((one, index) => rowOf(one, why.get(index + 1)))]));
}

/** Consent comes with the request, so the plan becomes active without another call. */
async function activePlan({ app, hooks, investor }: Stage, mandate: number): Promise<Answer> {
  const created = await app.post(PLANS, {
    ...{ mf_investment_account: investor.account, scheme: SCHEME, amount: 1000, systematic: true },
    ...{ frequency: 'monthly', installment_day: 10, number_of_installments: 24 },
    ...{ payment_method: 'mandate', payment_source: String(mandate), consent: investor.consent },
    step_up: { type: 'amount', value: 500, frequency: 'half_yearly' },
  });
  return hooks.waitFor('mf_purchase_plan.activated', created['id']);
}

/** Moves the clock to the evening of the plan's next date, or some days later, and returns the installment of that date. */
async function nextInstallment({ app }: Stage, plan: string, days = 0): Promise<Answer> {
  const { next_installment_date: date } = await app.get(`${PLANS}/${plan}`);
  await app.moveClock({ now: `${addDays(String(date), days)}T20:00:00+05:30` });
  const { data } = await app.get(`/v2/mf_purchases?plan=${plan}&limit=1`);
  const [installment] = data as Answer[];
  expectSame('the date of the installment', installment?.['scheduled_on'], date);
  return installment ?? {};
}

/** The next installment is collected by the mandate on its date. */
async function collected(stage: Stage, plan: string): Promise<void> {
  const { id } = await nextInstallment(stage, plan);
  await stage.hooks.waitFor('mf_purchase.successful', id);
}

/** Pays the installment by UPI, after its debit has failed. It needs no confirmation. */
async function paidByHand({ hooks, steps }: Stage, installment: Answer): Promise<void> {
  await hooks.waitFor('payment.failed', installment['payment_id']);
  const payment = await steps.pay(installment);
  await steps.uri(payment);
  await steps.decide(payment, 'SUCCESS');
  await hooks.waitFor('mf_purchase.successful', installment['id']);
}

/** The investor agrees to another amount, for the installments that are not made yet. */
async function changeAmount({ app, hooks, investor }: Stage, plan: string, amount: number): Promise<void> {
  await app.patch(`${PLANS}/${plan}`, { consent: investor.consent, amount });
  await hooks.waitFor(
    'mf_purchase_plan.updated',
    plan,
    (updated) => updated['next_installment_amount'] === amount,
  );
}

function rowOf({ installment_number, scheduled_on, amount, state }: Answer, why = '-'): readonly string[] {
  return [String(installment_number), String(scheduled_on), `₹${String(amount)}`, String(state), why];
}
