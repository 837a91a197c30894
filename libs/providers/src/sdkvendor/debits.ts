import type { PaymentFailureCode } from '@fundrail/contracts';
import { noticeKey } from '../mandate-ports.ts';
import type { DebitNotice, ProviderDebit } from '../mandate-ports.ts';
import { inDoubt } from '../ports.ts';
import type { Answer, ProviderPaymentStatus } from '../ports.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import { debitStatusOf, executionOf, fromDebit, fromDebitOrder, toldBy } from './mandate-transform.ts';
import { startedRecurring } from './mandate-wire.ts';
import { findOrCreateOrder } from './orders.ts';
import { SdkvendorTokens } from './tokens.ts';
import { answerOf, isPaid, mapYes, notUnderstood, started } from './transform.ts';
import type { Payment } from './wire.ts';
import { route } from '../route.ts';

/**
 * Debits at Razorpay. A payment of ours is one order there, found by its receipt; the order carries the notification to the
 * investor; each attempt is a payment under it, found by the note that names the attempt.
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

  async notifyDebit(debit: ProviderDebit): Promise<Answer<DebitNotice, PaymentFailureCode>> {
    const found = await findOrCreateOrder(this.client, this.books, fromDebitOrder(debit));
    if (found.kind !== 'yes') return this.tokens.explained(found, debit);
    const { order } = found.value;
    if (!order.notification) return notUnderstood('the order carries no notification');
    return { kind: 'yes', value: toldBy(order, order.notification, debit) };
  }

  /** A notification cannot be taken back, but it debits nothing by itself: `yes` as long as we have begun nothing on it. */
  async withdrawNotice(debit: ProviderDebit): Promise<Answer<null>> {
    const payments = await this.paymentsOf(debit);
    if (payments.kind !== 'yes') return payments;
    const isBegun = payments.value.some((payment) => payment.status === 'created' || isPaid(payment));
    return isBegun
      ? { kind: 'no', failure_code: 'already_executed', message: 'A debit was begun on this notice' }
      : { kind: 'yes', value: null };
  }

  /**
   * There is no idempotency key: an attempt that is found by its note is not made again. One that is not found may still be
   * worked later, and then the attempt is there twice: `debitStatus` tells all of its money. That the order has been paid says
   * only that another attempt has brought the money, late: nothing is known of this one.
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
    // A call of ours whose answer was lost may have been quicker than this one.
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

  /** The answer that an attempt has had; `not_found` when it was not begun. */
  private async attemptMade(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    const made = await this.debitStatus(debit);
    return made.kind === 'yes' ? executionOf(made.value) : made;
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

  /** Under every order of that receipt: two calls at once may have made two, and what was begun under either counts. */
  private paymentsOf(debit: ProviderDebit): Promise<Answer<Payment[]>> {
    return this.books.attemptsOf(noticeKey(debit));
  }
}
