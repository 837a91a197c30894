import type { Investor } from '../lib/investor.ts';
import { wallNow } from '../lib/receiver.ts';
import type { Endpoint } from './endpoint.ts';
import type { Front } from './front.ts';
import type { Gateway } from './gateway.ts';

/** What a buyer deals with. */
export interface Market {
  readonly front: Front;
  readonly gateway: Gateway;
  readonly endpoint: Endpoint;
}

/** The webhooks of a purchase and of its payment, in their order. */
export const EXPECTED = {
  order: ['created', 'review_completed', 'confirmed', 'submitted', 'successful'].map(
    (word) => `mf_purchase.${word}`,
  ),
  payment: [
    'payment.pending PENDING',
    'payment.updated PENDING',
    'payment.success SUCCESS',
    'payment.updated SUCCESS',
    'payment.initiated INITIATED',
    'payment.updated INITIATED',
    'payment.approved APPROVED',
    'payment.updated APPROVED',
  ],
} as const;

/** One purchase by UPI, from the order to the registrar's answer. */
export class Purchase {
  readonly #market: Market;
  readonly #investor: Investor;
  order = '';
  payment = '';
  /** Wall milliseconds: when the callback of the capture was sent, and when the webhook of the success arrived. */
  captured = Number.NaN;
  successful = Number.NaN;
  #oldId = 0;
  #uri = '';

  constructor(market: Market, investor: Investor) {
    this.#market = market;
    this.#investor = investor;
  }

  /** The order is created and reviewed. */
  async create(): Promise<void> {
    const body = { mf_investment_account: this.#investor.account, scheme: 'INF209K01YN0', amount: 5000 };
    const created = await this.#send('POST', '/v2/mf_purchases', body);
    this.order = String(created['id']);
    this.#oldId = Number(created['old_id']);
    await this.arrived('order', 'mf_purchase.review_completed');
  }

  async consent(): Promise<void> {
    const consent = { email: 'investor@example.com' };
    await this.#send('PATCH', '/v2/mf_purchases', { id: this.order, consent });
  }

  async requestPayment(): Promise<void> {
    const requested = await this.#send('POST', '/api/pg/payments/netbanking', {
      amc_order_ids: [this.#oldId],
      method: 'UPI',
      upi: { type: 'URI' },
      bank_account_id: this.#investor.bankAccountId,
      payment_postback_url: 'https://buyer.example.com/paid',
    });
    this.payment = String(requested['id']);
  }

  /** The order is confirmed and submitted, and the payment's URI is here. */
  async confirm(): Promise<void> {
    await this.#send('PATCH', '/v2/mf_purchases', { id: this.order, state: 'confirmed' });
    this.#uri = (await this.arrived('payment', 'payment.updated PENDING')).uri ?? '';
  }

  /** The investor pays; the money is transferred, and the registrar processes the order. */
  async pay(): Promise<void> {
    this.captured = wallNow();
    const [successful] = await Promise.all([
      this.arrived('order', 'mf_purchase.successful'),
      this.arrived('payment', 'payment.updated APPROVED'),
      this.#market.gateway.pay(this.#uri),
    ]);
    this.successful = successful.at;
  }

  /** Resolves with the webhook of the order or the payment. */
  arrived(about: 'order' | 'payment', label: string) {
    return this.#market.endpoint.until(this[about], label, wallNow());
  }

  async #send(method: 'POST' | 'PATCH', path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${this.#investor.token}` };
    const text = await this.#market.front.send(method, path, headers, JSON.stringify(body));
    return JSON.parse(text) as Record<string, unknown>;
  }
}

/** The steps, each with the last webhook of it when the step itself does not wait for that. */
export const STEPS: readonly {
  readonly name: string;
  readonly take: (purchase: Purchase) => Promise<void>;
  readonly last?: readonly ['order' | 'payment', string];
}[] = [
  { name: 'order, review', take: (purchase) => purchase.create() },
  { name: 'consent', take: (purchase) => purchase.consent() },
  {
    name: 'payment',
    take: (purchase) => purchase.requestPayment(),
    last: ['payment', 'payment.pending PENDING'],
  },
  {
    name: 'confirmation, submission, URI',
    take: (purchase) => purchase.confirm(),
    last: ['order', 'mf_purchase.submitted'],
  },
  { name: 'capture, transfer, registrar', take: (purchase) => purchase.pay() },
];
