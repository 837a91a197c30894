import { noticeKey, noticeOfKey } from '../mandate-ports.ts';
import { mapYes, type Answer } from '../answer.ts';
import type { ProviderRefund } from '../provider-payment.ts';
import type { SdkvendorClient } from './client.ts';
import { answerOf, isPaid, refundable } from './transform.ts';
import { order, orders, payments, refunds, type Order, type Payment, type Refund } from './wire.ts';
import { route } from '../route.ts';

// The most that a list answers (razorpay.com/docs/api/orders/fetch-all).
const COUNT = '100';
// An order's receipt and our notes on it never change, so they are cached. An order that left the cache costs a call.
const MOST_KEPT = 10_000;
// The further notices that mandates may give one debit.
const FURTHER_NOTICES = [2, 3];

/** What an order belongs to. `receipt` is the payment's reference; `about` comes from its notes, which only we can write. */
export interface OrderName {
  readonly receipt: string | null;
  readonly about: 'payment' | 'authorisation' | 'debit';
  /** The number of the debit's notice on the order. */
  readonly notice_number: number;
}

/** Razorpay's records of one of our payments: its orders by our reference (`receipt`), their attempts, their refunds. */
export class SdkvendorBooks {
  readonly #names = new Map<string, OrderName>();

  constructor(private readonly client: SdkvendorClient) {}

  async ordersOf(reference: string): Promise<Answer<Order[]>> {
    const answer = await this.client.get(route`/orders`, { receipt: reference, count: COUNT });
    return mapYes(answerOf(answer, orders), ({ items }) =>
      // If the answer has more than requested, another payment's money must not count as ours.
      items.filter(({ receipt }) => receipt === reference),
    );
  }

  async attemptsUnder(all: readonly Pick<Order, 'id'>[]): Promise<Answer<Payment[]>> {
    const found: Payment[] = [];
    for (const { id } of all) {
      const answer = answerOf(await this.client.get(route`/orders/${id}/payments`), payments);
      if (answer.kind !== 'yes') return answer;
      // Razorpay lists the newest first; nothing else orders two of the same second.
      found.push(...answer.value.items.toReversed());
    }
    return { kind: 'yes', value: found };
  }

  /** All attempts for one of our payments; `not_found` when Razorpay has no order for it. */
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

  /** The refund, if it was made before, and the attempt whose money it returns. */
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

  /** The attempts that brought the money. After a further notice of a debit they are under that notice's order. */
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

/** The receipt and notes of an order in a webhook or an answer. */
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
