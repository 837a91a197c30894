import { istDate } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';

type Order = gatewaypoaWire.OrderObjectWire;
type Payment = gatewaypoaWire.PaymentObject;
type Transfer = gatewaypoaWire.TransferObject;

/** A callback: the event, and the object that it is about with its reference. */
export type Report = { readonly reference: string } & (
  | { readonly topic: 'orders'; readonly event: 'order.updated'; readonly order: Order }
  | { readonly topic: 'payments'; readonly event: 'payment.updated'; readonly payment: Payment }
  | { readonly topic: 'payments'; readonly event: 'transfer.updated'; readonly transfer: Transfer }
);

const NAV_RUPEES = 50;

/**
 * gatewaypoa as order gateway, registrar, payment provider and receiver of transfers, in memory: it accepts everything, and `report`
 * sends what happens next by callback. A repeated call has the answer of the first one and no effect.
 */
export class Gateway {
  readonly #report: (report: Report) => Promise<void>;
  readonly #orders = new Map<string, Order>();
  readonly #payments = new Map<string, Payment & { readonly amount_paise: number }>();
  readonly #transfers = new Map<string, Transfer>();

  constructor(report: (report: Report) => Promise<void>) {
    this.#report = report;
  }

  /** The answer to a call, its path without the prefix `/gatewaypoa`; null is 404. */
  answer(method: string, path: string, body: string): object | null {
    switch (`${method} ${path}`) {
      case 'POST /orders/review':
        return this.#review(JSON.parse(body) as gatewaypoaWire.OrderRequestWire);
      case 'POST /orders/submit':
        return this.#submit(JSON.parse(body) as gatewaypoaWire.OrderRequestWire);
      case 'POST /payments':
        return this.#register(JSON.parse(body) as gatewaypoaWire.PaymentRequest);
      case 'POST /transfers':
        return this.#transfer(JSON.parse(body) as gatewaypoaWire.TransferRequest);
      default:
        return this.#status(path);
    }
  }

  /** The investor pays by this URI. The promise is that of the callback. */
  async pay(uri: string): Promise<void> {
    const reference = new URLSearchParams(uri.slice(uri.indexOf('?'))).get('tr') ?? '';
    const known = this.#payments.get(reference);
    if (!known) throw new Error(`no payment has the URI ${uri}`);
    const { upi_uri, amount_paise } = known;
    const provider_reference = `UTR${reference}`;
    const payment = {
      ...{
        reference,
        upi_uri,
        status: 'captured' as const,
        provider_reference,
        amount_paise,
        currency: 'INR',
      },
    };
    this.#payments.set(reference, payment);
    await this.#report({ topic: 'payments', event: 'payment.updated', reference, payment });
  }

  #review({ reference }: gatewaypoaWire.OrderRequestWire): Order {
    const known = this.#orders.get(reference);
    if (known) return known;
    const order: Order = {
      reference,
      review: { status: 'in_review' },
      submission: { status: 'none' },
      outcome: { status: 'processing' },
    };
    this.#afterAnswer(() => this.#reportOrder({ ...order, review: { status: 'passed' } }));
    return this.#keepOrder(order);
  }

  #submit({ reference, old_id }: gatewaypoaWire.OrderRequestWire): Order | null {
    const known = this.#orders.get(reference);
    if (!known || known.submission.status === 'accepted') return known ?? null;
    return this.#keepOrder({ ...known, submission: { status: 'accepted', order_reference: `GP${old_id}` } });
  }

  #register({ reference, amount_paise, payee_name = 'fundrail' }: gatewaypoaWire.PaymentRequest): Payment {
    const known = this.#payments.get(reference);
    if (known) return known;
    const amount = (amount_paise / 100).toFixed(2);
    const upi_uri = `upi://pay?pa=fundrail.mf@validsandbox&pn=${encodeURIComponent(payee_name)}&mc=6211&tr=${reference}&tn=Payment&am=${amount}&cu=INR`;
    const payment = { reference, upi_uri, status: 'awaiting_payer' as const, amount_paise };
    this.#payments.set(reference, payment);
    return { reference, upi_uri, status: 'awaiting_payer' };
  }

  #transfer({ reference, shares }: gatewaypoaWire.TransferRequest): Transfer {
    const known = this.#transfers.get(reference);
    if (known) return known;
    const transfer: Transfer = { reference, status: 'processing' };
    this.#transfers.set(reference, transfer);
    this.#afterAnswer(() => this.#settle(reference, shares));
    return transfer;
  }

  /** The transfer settles; then the registrar processes its orders. */
  async #settle(reference: string, shares: gatewaypoaWire.TransferRequest['shares']): Promise<void> {
    const transfer: Transfer = { reference, status: 'settled' };
    this.#transfers.set(reference, transfer);
    await this.#report({ topic: 'payments', event: 'transfer.updated', reference, transfer });
    for (const { order, old_id, amount_paise } of shares) {
      const known = this.#orders.get(order);
      if (!known) throw new Error(`money arrived for the unknown order ${order}`);
      const nav = NAV_RUPEES.toFixed(4);
      const units = (amount_paise / 100 / NAV_RUPEES).toFixed(4);
      const result = {
        traded_on: istDate(new Date()),
        folio_number: `91${old_id}`,
        units,
        amount_paise,
        nav,
      };
      await this.#reportOrder({ ...known, outcome: { status: 'processed', ...result } });
    }
  }

  async #reportOrder(order: Order): Promise<void> {
    const { reference } = this.#keepOrder(order);
    await this.#report({ topic: 'orders', event: 'order.updated', reference, order });
  }

  #keepOrder(order: Order): Order {
    this.#orders.set(order.reference, order);
    return order;
  }

  #status(path: string): object | null {
    const [, kind, reference = ''] = path.split('/');
    if (kind === 'orders') return this.#orders.get(reference) ?? null;
    if (kind === 'payments') return this.#payments.get(reference) ?? null;
    return this.#transfers.get(reference) ?? null;
  }

  #afterAnswer(next: () => Promise<void>): void {
    setImmediate(() => void next());
  }
}
