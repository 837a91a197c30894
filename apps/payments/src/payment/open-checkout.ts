import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { ChangePayment } from './change-payment.ts';
import { firstQuestion, note, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { ProviderPayments } from './provider-payments.ts';

/**
 * Makes the provider's order of a payment by page or SDK, under which the investor then tries. Our reference is its receipt,
 * so asking twice finds the same one; until it is recorded here nobody is told of it, so nobody can have paid.
 */
@Injectable()
export class OpenCheckout {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderPayments,
    private readonly change: ChangePayment,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  /** The PENDING payment with its order, or null: it is over, or the provider refused or gave no answer. */
  async execute(payment: Payment): Promise<Payment | null> {
    if (payment.status !== 'PENDING') return null;
    if (payment.checkout_order_id !== null) return payment;
    const order_id = await this.order(payment);
    if (order_id === null) return null;
    const after = await this.change.execute(payment, (row, tx) => openCheckout(row, order_id, tx.now));
    await passFaultPoint('payments.checkout_opened');
    return after?.status === 'PENDING' ? after : null;
  }

  /** The id of the provider's order, not recorded yet; null when the provider refused or gave no answer. */
  async order(payment: Payment): Promise<string | null> {
    const { checkout } = this.providers.of(payment.provider_name);
    if (!checkout) throw new Error(`${payment.provider_name} has no checkout`);
    const asked = await this.toProvider.of(payment, this.config.times.fromCreationMs);
    const answer = await checkout.createOrder(asked);
    await passFaultPoint('payments.checkout_answered');
    if (answer.kind === 'yes') return answer.value.order_id;
    const { tenant, id: payment_id } = payment;
    this.log.warn('the provider opened no checkout', { tenant, payment_id, kind: answer.kind });
    return null;
  }
}

/** An order that was recorded first stays; one that comes to a payment that is over is told to nobody. */
export function openCheckout(payment: Payment, checkout_order_id: string, now: Date): Outcome {
  if (payment.status !== 'PENDING' || payment.checkout_order_id !== null) return unchanged(payment);
  return { ...note(payment, 'open_checkout', { checkout_order_id }), due: [firstQuestion(payment, now)] };
}
