import { InvestorBrowser, Transcript } from '@fundrail/standalone';
import { waitFor } from '@fundrail/testing';
import { createHmac } from 'node:crypto';
import type { ApiClient } from '../api-client.ts';
import { approvedMandate, createdMandate, untilMandate } from '../mandate.ts';
import { activePlan, clockTo, installmentsOf, planOf } from '../plan.ts';
import {
  freshCheckout,
  ok,
  payableOrder,
  payablePayment,
  pendingRedemption,
  requestPayment,
  untilOrder,
  untilPayment,
  untilRefund,
} from '../purchase.ts';
import type { MarkedInvestor } from './marked-investor.ts';
import { MARKS, marksIn } from './marks.ts';

const POSTBACK = { payment_postback_url: 'http://localhost:8080/done' };

/** Everything that an investor with marked values can do: every way to pay, to be paid and to allow debits. */
export class MarkedWalks {
  /** @param sdkSecret the secret with which the SDK signs its callback. */
  constructor(
    private readonly client: ApiClient,
    private readonly investor: MarkedInvestor,
    private readonly sdkSecret: string,
  ) {}

  /** One after the other, because some move the sandbox's clock. */
  async all(): Promise<void> {
    await this.byLink();
    await this.byCollect();
    await this.onThePage();
    await this.byNetbanking();
    await this.bySdk();
    await this.givenBack();
    await this.byMandate();
    await this.byCollectMandate();
    await this.byMandateAtTheBank();
    await this.byPlan();
    await this.byRedemption();
  }

  /** Those that write into each table with the investor's data; the others write there again. */
  async intoEachTable(): Promise<void> {
    await this.byCollect();
    await this.onThePage();
    await this.givenBack();
    await this.byMandate();
    await this.byCollectMandate();
    await this.byPlan();
    await this.byRedemption();
  }

  private async byLink(): Promise<void> {
    const order = await payableOrder(this.client);
    const payment = await payablePayment(this.client, [order]);
    await this.play(payment, { status: 'SUCCESS' });
    await untilPayment(this.client, payment, 'APPROVED');
    await untilOrder(this.client, order, 'successful');
  }

  private async byCollect(): Promise<void> {
    const order = await payableOrder(this.client);
    const asked = { amc_order_ids: [order.oldId], bank_account_id: this.investor.bank_account_id };
    const upi = { method: 'UPI', upi: { type: 'collect', vpa: MARKS.vpa } };
    const path = '/api/pg/payments/netbanking';
    const { body } = ok(await this.client.post(path, { ...asked, ...upi, ...POSTBACK }));
    await this.confirm(order.id);
    await this.payOnce(Number(body['id']));
    await untilOrder(this.client, order, 'successful');
  }

  /** The page, with a UPI ID that the investor types. */
  private async onThePage(): Promise<void> {
    const { id, url } = await freshCheckout(this.client);
    const browser = this.browserFor(url);
    await browser.submit(await browser.get(url), 'collect', { vpa: MARKS.vpa });
    await this.payOnce(id);
    await untilPayment(this.client, id, 'SUCCESS');
  }

  private async byNetbanking(): Promise<void> {
    const { id, url } = await freshCheckout(this.client);
    await this.throughTheBank(url);
    await untilPayment(this.client, id, 'SUCCESS');
  }

  /** The client app posts the SDK's signed callback; before that, a forged one is posted. */
  private async bySdk(): Promise<void> {
    const order = await payableOrder(this.client);
    const asked = { amc_order_ids: [order.oldId], ...POSTBACK };
    const { body } = ok(await this.client.post('/api/pg/payments/netbanking', asked));
    const { sdkvendor } = body['sdk_options'] as {
      readonly sdkvendor: { readonly order_id: string; readonly callback_url: string };
    };
    const { order_id, callback_url } = sdkvendor;
    await this.play(Number(body['id']), { status: 'SUCCESS' });
    const attempt = 'pay_00000000000000';
    const signature = createHmac('sha256', this.sdkSecret).update(`${order_id}|${attempt}`).digest('hex');
    const signed = { razorpay_payment_id: attempt, razorpay_order_id: order_id };
    const post = async (razorpay_signature: string) => {
      const said = { ...signed, razorpay_signature, email: MARKS.email, vpa: MARKS.vpa };
      const answer = await fetch(callback_url, { method: 'POST', body: new URLSearchParams(said) });
      return { status: answer.status, marks: marksIn(await answer.text()) };
    };
    const [forged, genuine] = [await post(MARKS.pan), await post(signature)];
    if (forged.status !== 400 || genuine.status !== 200 || forged.marks.length > 0)
      throw new Error(`the SDK's words: ${JSON.stringify({ forged, genuine })}`);
    await this.confirm(order.id);
    await untilOrder(this.client, order, 'successful');
  }

  /** Money from another account is refunded; so is a second payment. */
  private async givenBack(): Promise<void> {
    const order = await payableOrder(this.client);
    const payment = await payablePayment(this.client, [order]);
    await this.play(payment, { status: 'SUCCESS', payer: 'third_party' });
    await untilRefund(this.client, payment, 'SUCCESSFUL');
    const again = Number(ok(await requestPayment(this.client, [order])).body['id']);
    await this.payOnce(again);
    await untilPayment(this.client, again, 'APPROVED');
    await this.play(again, { status: 'PAID_AGAIN' });
    await untilRefund(this.client, again, 'SUCCESSFUL');
  }

  private async byMandate(): Promise<void> {
    const mandate = await approvedMandate(this.client);
    const order = await payableOrder(this.client, 2500);
    const asked = { mandate_id: mandate, amc_order_ids: [order.oldId] };
    const debit = ok(await this.client.post('/api/pg/payments/nach', asked)).body;
    await this.confirm(order.id);
    await untilOrder(this.client, order, 'submitted');
    ok(await this.client.post('/sandbox/clock', { advance: 'P2D' }));
    await untilPayment(this.client, Number(debit['id']), 'APPROVED');
    ok(await this.client.post(`/api/pg/mandates/${mandate}/cancel`, {}));
  }

  private async byCollectMandate(): Promise<void> {
    const mandate = await createdMandate(this.client);
    const asked = { mandate_id: mandate, upi: { type: 'collect', vpa: MARKS.vpa } };
    const { body } = ok(await this.client.post('/api/pg/payments/emandate/auth', asked));
    await this.payOnce(Number(body['id']));
    await untilMandate(this.client, mandate, 'APPROVED');
  }

  /** An e-mandate, by net banking or debit card of the investor's bank: refused there, then allowed. */
  private async byMandateAtTheBank(): Promise<void> {
    const mandate = await createdMandate(this.client, {
      ...{ mandate_type: 'E_MANDATE', provider_name: 'SDKVENDOR' },
    });
    const asked = { mandate_id: mandate, ...POSTBACK };
    const { body } = ok(await this.client.post('/api/pg/payments/emandate/auth', asked));
    const browser = this.browserFor(String(body['token_url']));
    await this.throughTheBank(String(body['token_url']), browser, 'decline');
    await this.throughTheBank(String(body['token_url']), browser);
    await untilMandate(this.client, mandate, 'APPROVED');
  }

  private async byPlan(): Promise<void> {
    const plan = await activePlan(this.client, { amount: 1000, number_of_installments: 2 });
    await clockTo(this.client, String((await planOf(this.client, plan))['next_installment_date']));
    const [first] = await installmentsOf(this.client, plan);
    if (!first) throw new Error('the plan has made no installment');
    await untilOrder(this.client, { id: first.id, oldId: first.old_id }, 'successful');
    const cancel = { cancellation_code: 'invest_later' };
    ok(await this.client.post(`/v2/mf_redemption_plans/${plan}/cancel`, cancel));
  }

  private async byRedemption(): Promise<void> {
    const order = await pendingRedemption(this.client);
    const { id } = order;
    ok(await this.client.patch('/v2/mf_redemptions', { id, consent: this.investor.consent }));
    ok(await this.client.patch('/v2/mf_redemptions', { id, state: 'confirmed' }));
    await untilOrder(this.client, order, 'successful');
  }

  private async throughTheBank(
    url: string,
    browser = this.browserFor(url),
    answer: 'approve' | 'decline' = 'approve',
  ): Promise<void> {
    const chosen = await browser.submit(await browser.get(url), 'netbanking', { bank: 'HDFC' });
    const bank = await browser.get(browser.linkIn(chosen, '/sandbox/bank/'));
    await browser.submit(await browser.submit(bank, answer));
  }

  /** A browser at the marked address, as the proxy in front of the product reports it. */
  private browserFor(url: string): InvestorBrowser {
    const quiet = new Transcript(() => undefined);
    const proxied = { 'x-forwarded-for': MARKS.user_ip };
    return new InvestorBrowser(this.client.url, new URL(url).origin, quiet, proxied);
  }

  /**
   * Pays once the investor has been asked: after the order is submitted, or after the page has asked. Before that there is nothing
   * to approve.
   */
  private async payOnce(payment: number): Promise<void> {
    const pay = () => this.client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' });
    // A provider that has failed is called again after 5 s.
    await waitFor(async () => (await pay()).status < 300, {
      limitMs: 60_000,
      what: `payment ${payment} to be asked for`,
    });
  }

  private async play(payment: number, what: object): Promise<void> {
    ok(await this.client.post(`/api/pg/simulate/payments/${payment}`, what));
  }

  private async confirm(id: string): Promise<void> {
    ok(await this.client.patch('/v2/mf_purchases', { id, state: 'confirmed' }));
  }
}
