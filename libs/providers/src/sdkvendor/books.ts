import { noticeKey, noticeOfKey } from '../mandate-ports.ts';
import type { Answer, ProviderRefund } from '../ports.ts';
import type { SdkvendorClient } from './client.ts';
import { answerOf, isPaid, mapYes, refundable } from './transform.ts';
import { order, orders, payments, refunds } from './wire.ts';
import type { Order, Payment, Refund } from './wire.ts';
import { route } from '../route.ts';

// The most that a list answers (razorpay.com/docs/api/orders/fetch-all).
const COUNT = '100';
// An order's receipt and the notes that we give it never change. One that is asked again after so many others costs a call.
const MOST_KEPT = 10_000;
// As many as payments gives one debit.
const FURTHER_NOTICES = [2, 3];

/** What an order is to us. `receipt` is the payment's reference, `about` from its notes: only we can have written them. */
export interface OrderName {
  readonly receipt: string | null;
  readonly about: 'payment' | 'authorisation' | 'debit';
  /** Which notice of a debit the order carries. */
  readonly notice_number: number;
}

/** What Razorpay has written down of a payment of ours: its orders by our reference (`receipt`), their attempts, their refunds. */
export class SdkvendorBooks {
  readonly #names = new Map<string, OrderName>();

  constructor(private readonly client: SdkvendorClient) {}

  async ordersOf(reference: string): Promise<Answer<Order[]>> {
    const answer = await this.client.get(route`/orders`, { receipt: reference, count: COUNT });
    return mapYes(answerOf(answer, orders), ({ items }) =>
      // Whoever answers more than was asked for must not lend us another payment's money.
      items.filter(({ receipt }) => receipt === reference),
    );
  }

  async attemptsUnder(all: readonly Pick<Order, 'id'>[]): Promise<Answer<Payment[]>> {
    const found: Payment[] = [];
    for (const { id } of all) {
      const answer = answerOf(await this.client.get(route`/orders/${id}/payments`), payments);
      if (answer.kind !== 'yes') return answer;
      // Newest first over there; two within a second are told apart by nothing else.
      found.push(...answer.value.items.toReversed());
    }
    return { kind: 'yes', value: found };
  }

  /** All attempts to pay a payment of ours; `not_found` when Razorpay has no order for it. */
  async attemptsOf(reference: string): Promise<Answer<Payment[]>> {
    const all = await this.ordersOf(reference);
    if (all.kind !== 'yes') return all;
    return all.value.length === 0 ? { kind: 'not_found' } : this.attemptsUnder(all.value);
  }

  async nameOf(orderId: string): Promise<Answer<OrderName>> {
    const kept = this.#names.get(orderId);
    if (kept) return { kind: 'yes', value: kept };
    const answer = answerOf(await this.client.get(route`/orders/${orderId}`), order);
    if (answer.kind === 'yes') this.keep(answer.value);
    return mapYes(answer, nameIn);
  }

  keep(kept: Order): void {
    if (this.#names.size >= MOST_KEPT) this.#names.clear();
    this.#names.set(kept.id, nameIn(kept));
  }

  /** The refund if it was made before, and the attempt whose money it takes. */
  async refundOf({
    reference,
    payment_reference,
    amount,
  }: ProviderRefund): Promise<Answer<{ readonly made: Refund | null; readonly from: Payment | null }>> {
    const attempts = await this.paidOf(payment_reference);
    if (attempts.kind !== 'yes') return attempts;
    const made = await this.madeUnder(attempts.value, reference);
    return mapYes(made, (refund) => ({ made: refund, from: refundable(attempts.value, amount) }));
  }

  /** The attempts that brought the money: of a debit that was told anew, under the order of a further notice. */
  private async paidOf(payment_reference: string): Promise<Answer<Payment[]>> {
    const first = await this.attemptsOf(payment_reference);
    if (first.kind !== 'yes' || first.value.some(isPaid)) return first;
    for (const notice_number of FURTHER_NOTICES) {
      const further = await this.attemptsOf(noticeKey({ payment_reference, notice_number }));
      if (further.kind === 'not_found') return first;
      if (further.kind !== 'yes' || further.value.some(isPaid)) return further;
    }
    return first;
  }

  private async madeUnder(attempts: readonly Payment[], reference: string): Promise<Answer<Refund | null>> {
    for (const { id } of attempts.filter(isPaid)) {
      const path = route`/payments/${id}/refunds`;
      const answer = answerOf(await this.client.get(path, { count: COUNT }), refunds);
      if (answer.kind !== 'yes') return answer;
      const made = answer.value.items.find(({ receipt }) => receipt === reference);
      if (made) return { kind: 'yes', value: made };
    }
    return { kind: 'yes', value: null };
  }
}

/** What an order says of itself, as a webhook or an answer carries it. */
export function nameIn({
  receipt,
  notes,
}: Pick<Order, 'notes'> & { readonly receipt?: string | null | undefined }): OrderName {
  const said = notes && !Array.isArray(notes) ? notes : {};
  const about = said.about === 'authorisation' || said.about === 'debit' ? said.about : 'payment';
  if (receipt == null) return { receipt: null, about, notice_number: 1 };
  const { payment_reference, notice_number } = noticeOfKey(receipt);
  return { receipt: payment_reference, about, notice_number };
}
