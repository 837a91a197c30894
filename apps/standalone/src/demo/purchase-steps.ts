import type { Answer, BuyerApp } from './buyer-app.ts';
import type { Investor } from './investor.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

const SCHEME = 'INF209K01VD7';

/** The buyer app's part of a purchase: one method for each step, which resolves when the step's webhook has arrived. */
export class PurchaseSteps {
  constructor(
    private readonly app: BuyerApp,
    private readonly hooks: WebhookEndpoint,
    private readonly investor: Investor,
  ) {}

  /** Places an order for `amount` rupees. The sandbox reads its outcome from the last rupee digit (SAND-3). */
  create(amount: number): Promise<Answer> {
    return this.app.post('/v2/mf_purchases', {
      mf_investment_account: this.investor.account,
      scheme: SCHEME,
      amount,
    });
  }

  /** Places an order, waits for its review to pass, and records the investor's consent. */
  async consented(amount: number): Promise<Answer> {
    const order = await this.create(amount);
    await this.hooks.waitFor('mf_purchase.review_completed', order['id']);
    await this.app.patch('/v2/mf_purchases', { id: order['id'], consent: this.investor.consent });
    return order;
  }

  /** Creates one UPI payment over the orders. Returns its id. */
  async pay(...orders: Answer[]): Promise<number> {
    const payment = await this.payBy({ method: 'UPI', upi: { type: 'URI' } }, ...orders);
    return Number(payment['id']);
  }

  /** Creates one payment over the orders, by the method that `how` names. */
  payBy(how: object, ...orders: Answer[]): Promise<Answer> {
    return this.app.post('/api/pg/payments/netbanking', {
      amc_order_ids: orders.map((order) => order['old_id']),
      ...how,
      bank_account_id: this.investor.bankAccountId,
      payment_postback_url: 'http://localhost:8080/done',
    });
  }

  /** A UPI Autopay mandate of the investor, not authorised yet. Returns its id. */
  async mandate(mandate_limit: number): Promise<number> {
    const { bankAccountId: bank_account_id } = this.investor;
    const asked = { mandate_type: 'upi', bank_account_id, provider_name: 'GATEWAYPOA', mandate_limit };
    return Number((await this.app.post('/api/pg/mandates', asked))['id']);
  }

  /** Debits a mandate for an order. Returns the payment's id. */
  async debit(mandate_id: number, order: Answer): Promise<number> {
    const asked = { mandate_id, amc_order_ids: [order['old_id']] };
    return Number((await this.app.post('/api/pg/payments/nach', asked))['id']);
  }

  /** Tries a debit that has to be refused. Returns the error. */
  refusedDebit(mandate_id: number, order: Answer): Promise<Answer> {
    return this.app.refused('/api/pg/payments/nach', { mandate_id, amc_order_ids: [order['old_id']] });
  }

  async confirm(order: Answer): Promise<void> {
    await this.app.patch('/v2/mf_purchases', { id: order['id'], state: 'confirmed' });
  }

  /** Waits for the UPI link, which comes when all orders of the payment are submitted. */
  async uri(payment: number): Promise<string> {
    const updated = await this.hooks.waitFor('payment.updated', payment, (object) => Boolean(uriOf(object)));
    return uriOf(updated) ?? '';
  }

  /** What the investor does in the UPI app, played through the simulated provider. */
  async decide(payment: number, status: 'SUCCESS' | 'FAILED'): Promise<void> {
    await this.app.post(`/api/pg/simulate/payments/${payment}`, { status });
  }
}

function uriOf(payment: Answer): string | null {
  const upi = payment['upi'] as { uri: string | null } | undefined;
  return upi?.uri ?? null;
}
