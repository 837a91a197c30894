import type { PaymentFailureCode } from '@fundrail/contracts';
import { noticeKey, type DebitNotice, type ProviderDebit, type ProviderNotice } from '../mandate-ports.ts';
import { mapYes, notUnderstood, inDoubt, type Answer } from '../answer.ts';
import type { ProviderPaymentStatus } from '../provider-payment.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import { debitStatusOf, executionOf, fromDebit, fromDebitOrder, noticeFrom } from './mandate-transform.ts';
import { startedRecurring } from './mandate-wire.ts';
import { findOrCreateOrder } from './orders.ts';
import { SdkvendorTokens } from './tokens.ts';
import { answerOf, isPaid, started } from './transform.ts';
import type { Payment } from './wire.ts';
import { route } from '../route.ts';

/**
 * Debits at Razorpay. Each of our payments is one order there, found by its receipt. The order contains the notification to the
 * investor. Each attempt is a payment under it, found by the attempt's reference in the notes.
 */
export class SdkvendorDebits {
  readonly mayDebitTwice = true;
  protected readonly tokens: SdkvendorTokens;

  constructor(
    protected readonly client: SdkvendorClient,
    protected readonly books: SdkvendorBooks,
  ) {
    this.tokens = new SdkvendorTokens(client);
  }

  async notifyDebit(debit: ProviderNotice): Promise<Answer<DebitNotice, PaymentFailureCode>> {
    const found = await findOrCreateOrder(this.client, this.books, fromDebitOrder(debit));
    if (found.kind !== 'yes') return this.tokens.explained(found, debit);
    const { order } = found.value;
    if (!order.notification) return notUnderstood('the order carries no notification');
    return { kind: 'yes', value: noticeFrom(order, order.notification, debit) };
  }

  /** A notification cannot be withdrawn, but it debits nothing itself: `yes` as long as we have started no debit on it. */
  async withdrawNotice(debit: ProviderDebit): Promise<Answer<null>> {
    const payments = await this.paymentsOf(debit);
    if (payments.kind !== 'yes') return payments;
    const isStarted = payments.value.some((payment) => payment.status === 'created' || isPaid(payment));
    return isStarted
      ? { kind: 'no', failure_code: 'already_executed', message: 'A debit was started on this notice' }
      : { kind: 'yes', value: null };
  }

  /**
   * There is no idempotency key: an attempt that is found by its note is not made again. One that is not found may still be
   * executed later, and then the attempt exists twice: `debitStatus` reports all of its money. If the order is already paid,
   * another attempt has brought the money late, and nothing is known about this one.
   */
  async executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    const order = await this.orderOf(debit);
    if (order.kind !== 'yes') return order;
    const made = await this.attemptMade(debit);
    if (made.kind !== 'not_found') return made;
    const body = fromDebit(debit, order.value);
    const posted = await this.client.post(route`/payments/create/recurring`, body);
    const answer = started(answerOf(posted, startedRecurring));
    if (answer.kind !== 'no') return mapYes(answer, () => null);
    // An earlier call whose answer was lost may have been faster than this one.
    const after = inDoubt(await this.attemptMade(debit));
    if (after.kind !== 'not_found') return after;
    return this.tokens.explained(answer, debit);
  }

  async debitStatus(debit: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    const payments = await this.paymentsOf(debit);
    if (payments.kind === 'no') return notUnderstood(payments.message);
    if (payments.kind !== 'yes') return payments;
    const status = debitStatusOf(payments.value, debit.reference);
    return status ? { kind: 'yes', value: status } : { kind: 'not_found' };
  }

  /** The earlier answer to an attempt; `not_found` when it was not started. */
  private async attemptMade(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    const made = await this.debitStatus(debit);
    return made.kind === 'yes' ? executionOf(made.value) : made;
  }

  /** The order of the notice; an e-mandate has no notice, and its order is created with the first attempt. */
  private async orderOf(debit: ProviderDebit): Promise<Answer<string, PaymentFailureCode>> {
    if (debit.notice_reference !== null) return { kind: 'yes', value: debit.notice_reference };
    if (debit.mandate.mandate_type === 'UPI')
      return {
        kind: 'no',
        failure_code: 'payment_failed',
        message: 'The investor was not notified of this debit',
      };
    const found = await findOrCreateOrder(this.client, this.books, fromDebitOrder(debit));
    return mapYes(found, ({ order }) => order.id);
  }

  /** Under every order of that receipt: two concurrent calls may have created two, and payments under both count. */
  private paymentsOf(debit: ProviderDebit): Promise<Answer<Payment[]>> {
    return this.books.attemptsOf(noticeKey(debit));
  }
}
