import type { Answer } from './buyer-app.ts';
import { dateTable, saturdayTwoMonthsOn } from './installment-table.ts';
import { expectSame, type Stage } from './walks.ts';

const MONTHS = 6;
/** The installment that the investor skips. */
const SKIPPED = 4;
const SCHEME = 'INF209K01VD7';

/** A systematic withdrawal: a plan of six months. The sandbox's clock moves from one installment to the next; one is skipped. */
export async function swpFlow(stage: Stage): Promise<void> {
  const { app, hooks, transcript } = stage;
  transcript.heading('A systematic withdrawal: ₹2000 a month, for six months');
  const plan = await activePlan(stage);
  transcript.say(`The first installment falls on ${String(plan['next_installment_date'])}.`);
  if (typeof plan['calendar_warning'] === 'string') transcript.say(plan['calendar_warning']);
  for (let number = 1; number <= MONTHS; number += 1) await nextInstallment(stage, plan, number);
  const ended = await hooks.waitFor('mf_redemption_plan.completed', plan['id']);
  expectSame('the number of installments to come', ended['remaining_installments'], 0);

  const { data } = await app.get(`/v2/mf_redemptions?plan=${String(plan['id'])}`);
  const installments = (data as Answer[]).toReversed();
  expectSame('the number of installments', installments.length, MONTHS);
  transcript.say(dateTable(String(plan['start_date']), installments));
}

/** Consent comes with the request, so the plan becomes active without another call. */
async function activePlan({ app, hooks, investor, transcript }: Stage): Promise<Answer> {
  const { now } = await app.get('/sandbox/clock');
  const created = await app.post('/v2/mf_redemption_plans', {
    mf_investment_account: investor.account,
    scheme: SCHEME,
    folio_number: '91047558203',
    amount: 2000,
    systematic: true,
    frequency: 'monthly',
    installment_day: saturdayTwoMonthsOn(String(now)),
    number_of_installments: MONTHS,
    consent: investor.consent,
  });
  transcript.say('Its day of the month is chosen so that one installment falls on a Saturday.');
  return hooks.waitFor('mf_redemption_plan.activated', created['id']);
}

/** Moves the clock to noon of the plan's next date; by then the installment has been created and has ended. */
async function nextInstallment({ app, hooks, transcript }: Stage, plan: Answer, number: number) {
  const path = `/v2/mf_redemption_plans/${String(plan['id'])}`;
  const { next_installment_date: date } = await app.get(path);
  if (number === SKIPPED) {
    transcript.say(`The investor skips the installment of ${String(date)}.`);
    await app.post(`${path}/skip_instructions`, { from: date, to: date });
  }
  await app.moveClock({ now: `${String(date)}T12:00:00+05:30` });
  const { data } = await app.get(`/v2/mf_redemptions?plan=${String(plan['id'])}&limit=1`);
  const [installment] = data as Answer[];
  expectSame('the number of the newest installment', installment?.['installment_number'], number);
  expectSame('the date of the installment', installment?.['scheduled_on'], date);
  const end = number === SKIPPED ? 'cancelled' : 'successful';
  await hooks.waitFor(`mf_redemption.${end}`, installment?.['id']);
}
