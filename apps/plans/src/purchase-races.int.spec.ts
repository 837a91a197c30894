import { Decimal } from '@fundrail/contracts';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import { mandateObject } from './testing/mandate-object.ts';
import { PURCHASE_PLANS, PurchasesUnderTest } from './testing/purchases-under-test.ts';
import { aMandate, CONSENT } from './testing/plan.builder.ts';

const PLANS = 40;
const FEW = 10;

describe('purchase plans with two schedulers', () => {
  let purchases: PurchasesUnderTest;
  beforeEach(async () => {
    purchases = await PurchasesUnderTest.start(2);
  });
  afterEach(() => purchases.stage.stop());

  const createMany = (count = PLANS) =>
    Promise.all(Array.from({ length: count }, () => purchases.createActive()));

  it('make one installment of each plan, beside redemption plans', async () => {
    const { stage } = purchases;
    const plans = await createMany();
    await stage.at('2027-01-05T00:05');
    for (const { id } of plans) expect(await purchases.published(id)).toHaveLength(1);
    const rows = await stage.rows<{ redemption: string }>('SELECT redemption FROM plan_installments');
    expect(new Set(rows.map(({ redemption }) => redemption)).size).toBe(PLANS);
  });

  it('at 00:05 a pause, a change and a cancel see the installment whole, or it sees them', async () => {
    const { stage } = purchases;
    const plans = await createMany();
    stage.clock.set('2027-01-05T00:05:00.000+05:30');
    stage.wake();
    await Promise.all(
      plans.map(({ id }, index) => {
        if (index % 3 === 0)
          return stage.ask('POST', `${PURCHASE_PLANS}/${id}/pause`, { body: { installments: 1 } });
        if (index % 3 === 1)
          return stage.ask('PATCH', PURCHASE_PLANS, { body: { id, amount: 2000, consent: CONSENT } });
        return stage.ask('POST', `${PURCHASE_PLANS}/cancel`, {
          body: { id, cancellation_code: 'invest_later' },
        });
      }),
    );
    await stage.settled();
    for (const [index, { id }] of plans.entries()) {
      const [made, ...more] = await purchases.published(id);
      expect(more).toEqual([]);
      const plan = await purchases.get(id);
      if (index % 3 === 2) {
        expect(plan).toMatchObject({ state: 'cancelled', next_installment_date: null });
        expect(plan.remaining_installments).toBe(made ? 11 : 12);
        continue;
      }
      // A pause at this hour is for the next date; a change before the installment is in its amount.
      expect(made?.state).toBe('under_review');
      if (index % 3 === 1) {
        const { sequence } = (
          await stage.rows<{ sequence: number }>(
            `SELECT sequence FROM outbox WHERE aggregate_id = $1 AND type = 'mf_purchase_plan.updated'`,
            id,
          )
        )[0] ?? { sequence: 0 };
        const generated = (await stage.eventRows(id)).find(({ type }) =>
          type.endsWith('installment_generated'),
        );
        const isAfter = (generated?.sequence ?? 0) > sequence;
        expect(Number(made?.amount.toString())).toBe(isAfter ? 2000 : 1000);
      }
    }
  });

  it('a pause of a mandate that is being replaced is not about the plan any more', async () => {
    const { stage } = purchases;
    const { id } = await purchases.createActive();
    const payment_source = 2003;
    stage.neighbours.mandates.set(payment_source, aMandate({ id: payment_source }));
    const fault = setFaultHandler('plans.change.before_commit');
    const body = { id, consent: CONSENT, payment_method: 'mandate', payment_source };
    const changed = stage.ask('PATCH', PURCHASE_PLANS, { body });
    await fault.reached;
    const paused = stage.consume('mandate.paused', mandateObject(aMandate({ mandate_status: 'PAUSED' })));
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await waitFor(async () => (await stage.rows(waiting)).length > 0, { what: 'the pause to wait' });
    fault.resume();
    await paused;
    expect((await changed).status).toBe(200);
    expect((await purchases.get(id)).reason).toBeNull();
    expect(await stage.eventsOf(id)).not.toContain('mandate_unusable');
  });

  it('a third failure and a cancel end the plan once', async () => {
    const { stage } = purchases;
    const { id } = await purchases.createActive();
    for (const month of ['01', '02', '03']) await stage.at(`2027-${month}-28T12:00`);
    const [one, two, three] = await purchases.published(id);
    if (!one || !two || !three) throw new Error('three were due');
    await purchases.unpaid(one);
    await purchases.unpaid(two);
    const body = { id, cancellation_code: 'invest_later' };
    const [, cancelled] = await Promise.all([
      purchases.unpaid(three),
      stage.ask('POST', `${PURCHASE_PLANS}/cancel`, { body, at: 1 }),
    ]);
    const plan = await purchases.get(id);
    expect(plan.state).toBe('cancelled');
    expect(cancelled.status).toBe(plan.auto_cancelled ? 409 : 200);
    expect((await stage.eventsOf(id)).filter((type) => type === 'cancelled')).toHaveLength(1);
    await stage.at('2028-01-28T12:00');
    expect(await purchases.published(id)).toHaveLength(3);
  });

  it('a third failure and the fourth installment: what is made stays, and nothing comes after', async () => {
    const { stage } = purchases;
    const plans = await createMany(FEW);
    for (const month of ['01', '02', '03']) await stage.at(`2027-${month}-28T12:00`);
    const thirds = [];
    for (const { id } of plans) {
      const [one, two, three] = await purchases.published(id);
      if (!one || !two || !three) throw new Error('three were due');
      await purchases.unpaid(one);
      await purchases.unpaid(two);
      thirds.push(three);
    }
    stage.clock.set('2027-04-05T00:05:00.000+05:30');
    stage.wake();
    await Promise.all(thirds.map((third) => purchases.unpaid(third)));
    await stage.settled();
    for (const { id } of plans) {
      const made = (await purchases.published(id)).length;
      expect([3, 4]).toContain(made);
      expect(await purchases.get(id)).toMatchObject({
        ...{ state: 'cancelled', auto_cancelled: true, next_installment_date: null },
        remaining_installments: 12 - made,
      });
      const kinds = (await stage.eventsOf(id)).filter((type) => type !== 'installment_generated');
      expect(kinds.slice(-2)).toEqual(['installment_failed', 'cancelled']);
    }
    await stage.at('2028-01-28T12:00');
    const rows = await stage.rows<{ made: number }>(
      'SELECT count(*)::int AS made FROM plan_installments WHERE installment_number > 4',
    );
    expect(rows).toEqual([{ made: 0 }]);
  });

  it('another mandate and a new amount meet where the limit is: one of them is refused', async () => {
    const { stage } = purchases;
    const plans = await createMany(FEW);
    const payment_source = 2003;
    const low = aMandate({ id: payment_source, mandate_limit: Decimal.parse('1500') });
    stage.neighbours.mandates.set(payment_source, low);
    const answers = await Promise.all(
      plans.map(({ id }) =>
        Promise.all(
          [{ amount: 2000 }, { payment_method: 'mandate', payment_source }].map((change, at) =>
            stage.ask<{ error?: { code: string } }>('PATCH', PURCHASE_PLANS, {
              body: { id, consent: CONSENT, ...change },
              at,
            }),
          ),
        ),
      ),
    );
    for (const [index, { id }] of plans.entries()) {
      const [repriced, replaced] = answers[index] ?? [];
      expect([repriced?.status, replaced?.status].sort()).toEqual([200, 422]);
      const refused = repriced?.status === 200 ? replaced : repriced;
      expect(refused?.body.error?.code).toBe('MANDATE_LIMIT_EXCEEDED');
      const plan: unknown = JSON.parse(JSON.stringify(await purchases.get(id)));
      expect(plan).toMatchObject(
        repriced?.status === 200
          ? { next_installment_amount: 2000, payment_source: '1001' }
          : { next_installment_amount: 1000, payment_source: '2003' },
      );
    }
  });
});
