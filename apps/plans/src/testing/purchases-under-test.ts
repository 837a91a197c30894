import {
  Decimal,
  mfPurchase,
  parseJson,
  purchaseInstallment,
  type MfPurchasePlanDto,
  type PurchaseInstallment,
} from '@fundrail/contracts';
import { objectOfEvent, waitFor } from '@fundrail/testing';
import { PASSED } from './fake-plan-gateway.ts';
import { ACCOUNT, aMandate, MANDATE } from './plan.builder.ts';
import { PlansUnderTest } from './plans-under-test.ts';
import { aPurchasePlanBody } from './purchase-plan.builder.ts';

export const PURCHASE_PLANS = '/v2/mf_purchase_plans';

/** How an installment's purchase may end. */
type Ended = 'successful' | 'failed' | 'cancelled';

/** Purchase plans in a service under test: Monday, 4 January 2027, 10:00, with an approved mandate of ₹15,000. */
export class PurchasesUnderTest {
  private constructor(readonly stage: PlansUnderTest) {}

  static async start(count = 1): Promise<PurchasesUnderTest> {
    const stage = await PlansUnderTest.start(count, { PURCHASE_PLANS: 'true' });
    stage.neighbours.mandates.set(MANDATE, aMandate({ mandate_limit: Decimal.parse('15000') }));
    await stage.at('2027-01-04T10:00');
    return new PurchasesUnderTest(stage);
  }

  async create(changes: object = {}): Promise<MfPurchasePlanDto> {
    const body = aPurchasePlanBody(changes);
    const answer = await this.stage.ask<MfPurchasePlanDto>('POST', PURCHASE_PLANS, { body });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.body;
  }

  /** Creates a plan that is reviewed, confirmed with its consent and registered: active from now on. */
  async createActive(changes: object = {}): Promise<MfPurchasePlanDto> {
    return this.activate((await this.create(changes)).id);
  }

  /** The gateway reviews and registers the plan, which has its consent. */
  async activate(id: string): Promise<MfPurchasePlanDto> {
    await this.stage.callback(id, PASSED);
    const isActive = async () => {
      this.stage.wake();
      return (await this.get(id)).state === 'active';
    };
    await waitFor(isActive, { what: `plan ${id} to be active` });
    await this.stage.settled();
    return this.get(id);
  }

  async get(id: string): Promise<MfPurchasePlanDto> {
    return (await this.stage.ask<MfPurchasePlanDto>('GET', `${PURCHASE_PLANS}/${id}`)).body;
  }

  /** The published installments, in the order of publication, each parsed by its schema. */
  async published(id: string): Promise<PurchaseInstallment[]> {
    const rows = await this.stage.rows<{ data: string }>(
      `SELECT data FROM outbox WHERE aggregate_id = $1 AND type = 'mf_purchase_plan.installment_generated' ORDER BY id`,
      id,
    );
    return rows.map(({ data }) => purchaseInstallment.parse((parseJson(data) as { object: unknown }).object));
  }

  /** The event of orders when an installment's purchase has ended. */
  ended(installment: PurchaseInstallment, state: Ended, changes: object = {}): Promise<void> {
    const { purchase: id, plan, installment_number, amount } = installment;
    const object = objectOfEvent(mfPurchase, {
      ...{
        object: 'mf_purchase',
        id,
        old_id: 1,
        mf_investment_account: ACCOUNT,
        scheme: 'INF846K01EW2',
        state,
      },
      ...{
        type: 'fresh',
        amount: Number(amount.toString()),
        gateway: 'gatewaypoa',
        plan,
        installment_number,
      },
      ...{ initiated_by: 'system', created_at: '2027-01-04T10:00:00.000+05:30', ...changes },
    });
    return this.stage.consume(`mf_purchase.${state}`, object);
  }

  /** The installment was not paid by its last moment. */
  unpaid(installment: PurchaseInstallment): Promise<void> {
    return this.ended(installment, 'failed', { failure_code: 'mandate_payment_failed' });
  }
}
