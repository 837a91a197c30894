import { addDays } from '@fundrail/contracts';
import { waitFor, WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { approvedMandate } from './testing/mandate.ts';
import { activePlan, businessDayFrom, clockTo, installmentsOf, monthsFrom, planOf } from './testing/plan.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, untilOrder, untilPayment } from './testing/purchase.ts';

const REDEMPTIONS = '/v2/mf_redemptions';
const ENDED_WELL = ['created', 'review_completed', 'confirmed', 'submitted', 'successful'];
/** A year on the sandbox's clock, on busy machines. */
const YEAR_LIMIT_MS = 300_000;

describeProducts('installments of redemption plans', (start) => {
  let product: Product;
  let client: ApiClient;
  let operator: ApiClient;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await product.client();
    operator = await product.operator();
    const webhook = { url: receiver.url, events: ['mf_redemption.*', 'mf_redemption_plan.*'] };
    receiver.secret = String(ok(await client.post('/v2/notification_webhooks', webhook)).body['secret']);
  });
  afterAll(() => Promise.all([product.stop(), receiver.stop()]));

  /** The event types that arrived for an object, in order of arrival, without the family. */
  const receivedOf = (id: string) =>
    receiver.received
      .filter(({ body }) => body.data.object['id'] === id)
      .map(({ body }) => body.type.slice(body.type.indexOf('.') + 1));
  const untilReceived = (id: string, step: string, times = 1) =>
    waitFor(() => receivedOf(id).filter((received) => received === step).length >= times, {
      limitMs: 60_000,
      what: `${step} of ${id} to be received`,
    });
  const holdRegistrar = async (hold_registrar: boolean) =>
    ok(await operator.patch('/admin/tenants/demo/settings', { simulator: { hold_registrar } }));
  const today = async () => String(ok(await client.get('/sandbox/clock')).body['now']).slice(0, 10);

  describe('that their caller generates', () => {
    const generate = async (plan: string) => {
      const { body } = ok(await client.post(REDEMPTIONS, { plan }));
      return { body, order: { id: String(body['id']), oldId: Number(body['old_id']) } };
    };
    const byCaller = (more: object) =>
      activePlan(client, { auto_generate_installments: false, number_of_installments: 2, ...more });

    it('are confirmed automatically, redeemed and listed by their plan, and complete it', async () => {
      const plan = await byCaller({ units: 3 });
      const first = await generate(plan);
      expect(first.body).toMatchObject({ plan, installment_number: 1, type: 'units', state: 'under_review' });
      const second = await generate(plan.replace('mfr_', 'mfrp_'));
      for (const { order } of [first, second]) await untilOrder(client, order, 'successful');
      const listed = await installmentsOf(client, plan);
      expect(listed.map(({ installment_number }) => installment_number)).toEqual([1, 2]);
      await untilReceived(plan, 'completed');
      expect(await planOf(client, plan)).toMatchObject({
        ...{ state: 'completed', remaining_installments: 0, next_installment_date: null },
      });
      const third = await client.post(REDEMPTIONS, { plan });
      expect([third.status, third.body]).toMatchObject([409, { error: { code: 'ILLEGAL_TRANSITION' } }]);
    });

    it('are collected by their mandate before they are submitted, and fail when the debit does (XFER-6)', async () => {
      const collected = {
        ...{ payment_method: 'mandate', payment_source: String(await approvedMandate(client)) },
      };
      const paid = await generate(await byCaller({ ...collected, amount: 500 }));
      const unpaid = await generate(await byCaller({ ...collected, amount: 503 }));
      const paymentOf = (id: string) =>
        waitFor(async () => {
          const { payment_id } = (await client.get(`${REDEMPTIONS}/${id}`)).body;
          return typeof payment_id === 'number' ? payment_id : null;
        });
      const [debit, failing] = [await paymentOf(paid.order.id), await paymentOf(unpaid.order.id)];
      const waiting = (await client.get(`${REDEMPTIONS}/${paid.order.id}`)).body;
      expect(waiting).toMatchObject({ state: 'confirmed', order_reference: null });
      // Time for the notice (a day) and for the windows of three retries.
      ok(await client.post('/sandbox/clock', { advance: 'P4D' }));
      await untilPayment(client, debit, 'APPROVED');
      await untilOrder(client, paid.order, 'successful');
      await untilPayment(client, failing, 'FAILED');
      await untilOrder(client, unpaid.order, 'failed');
      const failed = (await client.get(`${REDEMPTIONS}/${unpaid.order.id}`)).body;
      expect(failed).toMatchObject({ failure_code: 'mandate_payment_failed', payment_id: failing });
    });
  });

  it(
    'come for a year, each on its day, even if some are moved, skipped or fail',
    async () => {
      const [MONTHS, SKIPPED, FAILED] = [12, 5, 8];
      const plan = await activePlan(client, { amount: 1500, number_of_installments: MONTHS });
      const tomorrow = addDays(await today(), 1);
      const [thisMonth = '', nextMonth = ''] = monthsFrom(`${tomorrow.slice(0, 8)}10`, 2);
      const nominal = monthsFrom(thisMonth >= tomorrow ? thisMonth : nextMonth, MONTHS);
      // One holiday in the way, besides the weekends of a year.
      const holidays = [businessDayFrom(nominal[2] ?? '', [])];
      for (const year of new Set(nominal.map((date) => Number(date.slice(0, 4))))) {
        const dates = holidays.filter((date) => date.startsWith(String(year)));
        ok(await operator.post('/admin/holidays', { year, dates, source: 'a test' }));
      }
      const dates = nominal.map((date) => businessDayFrom(date, holidays));
      const standsAfter = async (made: number) =>
        expect(await planOf(client, plan)).toMatchObject({
          ...{ start_date: nominal[0], end_date: nominal.at(-1), remaining_installments: MONTHS - made },
          next_installment_date: dates[made] ?? null,
          previous_installment_date: dates[made - 1] ?? null,
        });

      await standsAfter(0);
      await clockTo(client, dates[0] ?? '', '00:04');
      await standsAfter(0);
      for (const [index, date] of dates.entries()) {
        const number = index + 1;
        if (number === SKIPPED)
          ok(
            await client.post(`/v2/mf_redemption_plans/${plan}/skip_instructions`, { from: date, to: date }),
          );
        if (number === FAILED) await holdRegistrar(true);
        await clockTo(client, date, '00:06');
        await standsAfter(number);
        if (number !== FAILED) continue;
        const { old_id } = (await installmentsOf(client, plan)).at(-1) ?? {};
        ok(await client.post(`/api/oms/simulate/orders/${old_id}`, { status: 'failed' }));
        await holdRegistrar(false);
      }

      await untilReceived(plan, 'completed');
      expect(receivedOf(plan)).toEqual([
        'created',
        'review_completed',
        'confirmed',
        'submitted',
        'activated',
        'completed',
      ]);
      const installments = await installmentsOf(client, plan);
      const endOf = (number: number) => {
        if (number === SKIPPED) return 'cancelled';
        return number === FAILED ? 'failed' : 'successful';
      };
      expect(installments).toMatchObject(
        dates.map((date, index) => ({
          ...{ installment_number: index + 1, scheduled_on: date, state: endOf(index + 1) },
          created_at: expect.stringMatching(`^${date}T00:05`),
        })),
      );
      for (const { id, installment_number: number } of installments) {
        // The last one is paid out after the end of this test.
        const isPaidOut = endOf(number) === 'successful' && number < MONTHS;
        await untilReceived(id, isPaidOut ? 'paid_out' : endOf(number));
        const ended = number === SKIPPED ? ['cancelled'] : [...ENDED_WELL.slice(0, -1), endOf(number)];
        expect([number, receivedOf(id)]).toEqual([number, isPaidOut ? [...ended, 'paid_out'] : ended]);
      }
      expect(receiver.received.every(({ verified }) => verified)).toBe(true);
    },
    YEAR_LIMIT_MS,
  );

  it(
    'are collected for three months, of which one fails; the client is notified that the mandate cannot be used',
    async () => {
      const mandate = await approvedMandate(client);
      const plan = await activePlan(client, {
        ...{ amount: 700, number_of_installments: 3 },
        ...{ payment_method: 'mandate', payment_source: String(mandate) },
      });
      const nextDate = async () => String((await planOf(client, plan))['next_installment_date']);
      const atBank = async (status: string) =>
        ok(await client.post(`/api/pg/simulate/mandates/${mandate}`, { status }));

      const first = await nextDate();
      await clockTo(client, first);
      expect(await installmentsOf(client, plan)).toMatchObject([
        { state: 'confirmed', payment_id: expect.any(Number), order_reference: null },
      ]);
      await clockTo(client, addDays(first, 2));
      expect(await installmentsOf(client, plan)).toMatchObject([{ state: 'successful' }]);

      // The investor has been notified of the debit, and pauses the mandate before it is made.
      const second = await nextDate();
      await clockTo(client, second);
      await atBank('PAUSED');
      await untilReceived(plan, 'mandate_unusable');
      await clockTo(client, addDays(second, 2));
      const third = await nextDate();
      await clockTo(client, addDays(third, -2));
      await untilReceived(plan, 'mandate_unusable', 2);
      await atBank('ACTIVE');
      await clockTo(client, addDays(third, 2));

      await untilReceived(plan, 'completed');
      const installments = await installmentsOf(client, plan);
      expect(installments).toMatchObject([
        { state: 'successful', failure_code: null },
        { state: 'failed', failure_code: 'mandate_payment_failed', order_reference: null },
        { state: 'successful', failure_code: null },
      ]);
      const debit = (await client.get(`/api/pg/payments/${String(installments[1]?.['payment_id'])}`)).body;
      expect(debit).toMatchObject({
        status: 'FAILED',
        failure_code: 'mandate_cancelled',
        mandate_id: mandate,
      });
    },
    YEAR_LIMIT_MS,
  );
});
