import type { PaymentFailureCode } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type { ProviderCheckout, ProviderPayment } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { RecordedCalls } from '@fundrail/service-kit/calls';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { passFaultPoint } from '../../fault-points.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { failPayment, note } from '../../payment/payment.ts';
import type { Refusal } from '../answer-creation.ts';
import { ChangeCollection } from '../change-collection.ts';
import {
  checkoutOf,
  decided,
  firstStatusCall,
  still,
  type Collection,
  type CollectionOutcome,
  type UpiStart,
} from '../collection.ts';
import { ProviderPayments } from '../provider-payments.ts';

/** The provider's order and what an attempt under it needs. */
export interface OpenOrder {
  readonly checkout: ProviderCheckout;
  /** The reference that an intent must contain; null where the provider generates it. */
  readonly tr: string | null;
  readonly request: ProviderPayment;
  readonly order_id: string;
}

/**
 * Creates the provider's order for a payment by page or SDK. Our reference is its receipt, so a repeated call finds the same order.
 * The order is shown to the investor only after it is recorded here, so before that it cannot be paid.
 */
@Injectable()
export class OpenCheckout {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderPayments,
    private readonly change: ChangeCollection,
    private readonly calls: RecordedCalls,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  /**
   * The PENDING payment with its order, or null when the payment is over or the provider gave no answer. A refusal ends the payment,
   * because no attempt is possible without an order (ERR-8).
   */
  async execute(payment: Collection, isByUpi: boolean): Promise<Collection | null> {
    if (payment.status !== 'PENDING') return null;
    if (checkoutOf(payment)?.order_id != null) return payment;
    const opened = await this.order(payment);
    if (opened.kind === 'silent') return null;
    const { firstStatusSeconds: firstSeconds } = this.config.times;
    const after = await this.change.execute(payment, (row, tx) =>
      opened.kind === 'refused'
        ? refuseCheckout(row, opened.failure_code, tx.now)
        : openCheckout(row, opened, tx.now, isByUpi ? { start: tx.now, firstSeconds } : null),
    );
    await passFaultPoint('payments.checkout_opened');
    return opened.kind === 'opened' && after?.status === 'PENDING' ? after : null;
  }

  /** The order, and the request for an attempt to pay it within `withinMs`; null as `execute`. Throws 503 when identity does not answer. */
  async forAttempt(payment: Collection, withinMs: number, isByUpi: boolean): Promise<OpenOrder | null> {
    const { checkout, drawsTr } = this.providers.of(payment.provider_name);
    if (!checkout) throw new Error(`${payment.provider_name} has no checkout`);
    const opened = await this.execute(payment, isByUpi);
    const order_id = (opened && checkoutOf(opened)?.order_id) ?? null;
    if (!opened || order_id === null) return null;
    const request = await this.toProvider.of(opened, withinMs);
    return { checkout, tr: drawsTr ? null : paymentReference(payment.id), request, order_id };
  }

  /** The provider's order, not recorded yet. `silent`: no answer, and the same call may be repeated. */
  async order(payment: Collection): Promise<Opened> {
    const { checkout } = this.providers.of(payment.provider_name);
    if (!checkout) throw new Error(`${payment.provider_name} has no checkout`);
    const asked = await this.toProvider.of(payment, this.config.times.fromCreationMs);
    const answer = await checkout.createOrder(asked);
    await passFaultPoint('payments.checkout_answered');
    await this.calls.record({ payment, reference: paymentReference(payment.id) }, 'create_order', answer);
    if (answer.kind === 'yes') return { kind: 'opened', order_id: answer.value.order_id };
    const { tenant, id: payment_id } = payment;
    this.log.warn('the provider did not open a checkout', { tenant, payment_id, kind: answer.kind });
    if (answer.kind !== 'no') return { kind: 'silent' };
    return { kind: 'refused', failure_code: answer.failure_code, message: answer.message };
  }
}

/** The result of creating an order at the provider. */
type Opened =
  | { readonly kind: 'opened'; readonly order_id: string }
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'silent' };

/** Fails the payment, unless another call has got an order meanwhile. */
function refuseCheckout(payment: Collection, code: PaymentFailureCode, now: Date): CollectionOutcome {
  if (!awaitsOrder(payment)) return still(payment);
  return decided(payment, failPayment(payment, 'fail', code, now));
}

/**
 * Records the order, unless the payment has one already or is over. `customer_id`: for the authorisation of a mandate. `byUpi`: the attempt on
 * the page that needed the order.
 */
export function openCheckout(
  payment: Collection,
  { order_id, customer_id = null }: { readonly order_id: string; readonly customer_id?: string | null },
  now: Date,
  byUpi: UpiStart | null = null,
): CollectionOutcome {
  const checkout = checkoutOf(payment);
  if (!checkout || !awaitsOrder(payment)) return still(payment);
  const request = { ...checkout, order_id, customer_id };
  const due = [firstStatusCall(payment, now, byUpi)];
  return { ...decided({ ...payment, request }, note(payment, 'open_checkout')), due };
}

function awaitsOrder(payment: Collection): boolean {
  return payment.status === 'PENDING' && checkoutOf(payment)?.order_id === null;
}
