import { toString as drawQr } from 'qrcode';
import type { Answer } from './buyer-app.ts';
import { expectEnd, expectSame, type Stage } from './walks.ts';

/** The legal notice period: a debit is made no earlier than a day after the investor was notified. */
const A_DAY = 'P1D';
/** The notice is 25 hours by default, and the longest pause between two windows 4.5 hours: this many more hours are enough. */
const MOST_HOURS_MORE = 8;

/** An Autopay mandate: authorised by a QR code, debited for an order a day after its notice, cancelled, and refused from then on. */
export async function mandateFlow(stage: Stage): Promise<void> {
  const mandate = await authorised(stage);
  const { app, hooks, steps, transcript } = stage;

  transcript.heading('An order, debited from the mandate');
  const order = await steps.consented(2500);
  const payment = await steps.debit(mandate, order);
  await steps.confirm(order);
  await hooks.waitFor('mf_purchase.submitted', order['id']);
  await aDayPasses(stage, payment);
  for (const type of ['payment.submitted', 'payment.success']) await hooks.waitFor(type, payment);
  await expectEnd(stage, [order], 'successful', payment);

  transcript.heading('The mandate is cancelled, and the next debit is refused');
  await app.post(`/api/pg/mandates/${mandate}/cancel`, {});
  const cancelled = await hooks.waitFor('mandate.cancelled', mandate);
  expectSame('the mandate', cancelled['mandate_status'], 'CANCELLED');
  const next = await steps.consented(2500);
  const refusal = await steps.refusedDebit(mandate, next);
  expectSame('the code of the refusal', refusal['code'], 'MANDATE_NOT_APPROVED');
  transcript.say(`Refused: ${String(refusal['message'])}`);
}

/** A day, and then hour by hour until the first window after the notice period. */
async function aDayPasses({ app, transcript }: Stage, payment: number): Promise<void> {
  const status = async () => (await app.get(`/api/pg/payments/${payment}`))['status'];
  const { debit_date } = await app.get(`/api/pg/payments/${payment}`);
  transcript.say(`The investor has been notified of the debit; it is planned for ${String(debit_date)}`);
  await app.moveClock({ advance: A_DAY });
  if ((await status()) !== 'PENDING') return;
  transcript.say(
    'A day has passed, and the debit is not made yet: the notice is given at least 24 hours ahead, by default 25,\n' +
      'and Autopay runs outside of the peak hours only (before 10:00, 13:00-17:00, from 21:30 on). It comes in the\n' +
      'first of these windows after that, so the clock goes on by the hour.',
  );
  for (let hours = 0; hours < MOST_HOURS_MORE && (await status()) === 'PENDING'; hours += 1)
    await app.moveClock({ advance: 'PT1H' });
}

/** Returns the id of a mandate that the investor has approved in the UPI app. */
export async function authorised({ app, hooks, steps, transcript }: Stage): Promise<number> {
  transcript.heading('An Autopay mandate, authorised by QR code');
  const mandate = await steps.mandate(5000);
  const body = { mandate_id: mandate, upi: { type: 'uri' } };
  const authorisation = await app.post('/api/pg/payments/emandate/auth', body);
  const uri = String((authorisation['upi'] as Answer)['uri']);
  transcript.say(`${await drawQr(uri, { type: 'utf8', errorCorrectionLevel: 'L' })}\n${uri}`);
  await app.post(`/api/pg/simulate/mandates/${mandate}`, { status: 'APPROVED' });
  await hooks.waitFor('payment.success', authorisation['id']);
  await hooks.waitFor('mandate.approved', mandate);
  return mandate;
}
