import type { PaymentFailureCode } from '@fundrail/contracts';
import type { DebitNotice, ProviderDebit } from '../mandate-ports.ts';
import type { Answer, ProviderPaymentStatus } from '../ports.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import { failureCodeOf } from './failure-codes.ts';
import { debitStatusOf, executionOf, fromDebit, fromDebitOrder, proofOf } from './mandate-transform.ts';
import { startedRecurring } from './mandate-wire.ts';
import { findOrCreateOrder } from './orders.ts';
import { SdkvendorTokens } from './tokens.ts';
import { answerOf, isPaid, mapYes, notUnderstood, started } from './transform.ts';
import type { Payment } from './wire.ts';

/**
 * Debits at Razorpay. A payment of ours is one order there, found by its receipt; the order carries the notification to the
 * investor; each attempt is a payment under it, found by the note that names the attempt.
 */
export class SdkvendorDebits {
  protected readonly tokens: SdkvendorTokens;

  constructor(
    protected readonly client: SdkvendorClient,
    protected readonly books: SdkvendorBooks,
  ) {
    this.tokens = new SdkvendorTokens(client);
  }

  async notifyDebit(debit: ProviderDebit): Promise<Answer<DebitNotice, PaymentFailureCode>> {
    const found = await findOrCreateOrder(this.client, this.books, fromDebitOrder(debit));
    if (found.kind !== 'yes') return this.tokens.explained(found, debit);
    const { order } = found.value;
    if (!order.notification) return notUnderstood('the order carries no notification');
    return { kind: 'yes', value: { notice_reference: order.id, proof: proofOf(order) } };
  }

  /** A notification cannot be taken back, but it debits nothing by itself: `yes` as long as we have begun nothing on it. */
  async withdrawNotice(debit: ProviderDebit): Promise<Answer<null>> {
    const payments = await this.paymentsOf(debit);
    if (payments.kind !== 'yes')
      return payments.kind === 'not_found' ? { kind: 'yes', value: null } : payments;
    const isBegun = payments.value.some((payment) => payment.status === 'created' || isPaid(payment));
    return isBegun
      ? { kind: 'no', failure_code: 'already_executed', message: 'A debit was begun on this notice' }
      : { kind: 'yes', value: null };
  }

  /** There is no idempotency key: an attempt that is found by its note is not made again. */
  async executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    const order = await this.orderOf(debit);
    if (order.kind !== 'yes') return order;
    const made = await this.attemptUnder(order.value, debit);
    if (made.kind !== 'not_found') return made;
    const body = fromDebit(debit, order.value);
    const answer = answerOf(await this.client.post('/payments/create/recurring', body), startedRecurring);
    if (answer.kind !== 'no') return mapYes(started(answer), () => null);
    // A call of ours whose answer was lost may have been quicker than this one.
    const after = await this.attemptUnder(order.value, debit);
    if (after.kind !== 'not_found') return after;
    return this.tokens.explained({ ...answer, failure_code: failureCodeOf(answer.failure_code) }, debit);
  }

  async debitStatus(debit: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    const payments = await this.paymentsOf(debit);
    if (payments.kind === 'no') return notUnderstood(payments.message);
    if (payments.kind !== 'yes') return payments;
    const status = debitStatusOf(payments.value, debit.reference);
    return status ? { kind: 'yes', value: status } : { kind: 'not_found' };
  }

  /** The answer that an attempt has had; `not_found` when it was not begun. */
  private async attemptUnder(
    orderId: string,
    { reference }: ProviderDebit,
  ): Promise<Answer<null, PaymentFailureCode>> {
    const payments = await this.books.attemptsUnder([{ id: orderId }]);
    if (payments.kind === 'no') return notUnderstood(payments.message);
    if (payments.kind !== 'yes') return payments;
    const made = debitStatusOf(payments.value, reference);
    return made ? executionOf(made) : { kind: 'not_found' };
  }

  /** The order of the notice; an e-mandate has none, and its order is made with the first attempt. */
  private async orderOf(debit: ProviderDebit): Promise<Answer<string, PaymentFailureCode>> {
    if (debit.notice_reference !== null) return { kind: 'yes', value: debit.notice_reference };
    if (debit.mandate.mandate_type === 'UPI')
      return {
        kind: 'no',
        failure_code: 'payment_failed',
        message: 'The investor was not told of this debit',
      };
    const found = await findOrCreateOrder(this.client, this.books, fromDebitOrder(debit));
    return mapYes(found, ({ order }) => order.id);
  }

  private paymentsOf({ notice_reference, payment_reference }: ProviderDebit): Promise<Answer<Payment[]>> {
    return notice_reference === null
      ? this.books.attemptsOf(payment_reference)
      : this.books.attemptsUnder([{ id: notice_reference }]);
  }
}
