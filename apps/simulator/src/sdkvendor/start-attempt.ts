import { Decimal } from '@fundrail/contracts';
import { MANDATE_URI_CODES } from '@fundrail/providers';
import { ORDER_ALREADY_PAID, type sdkvendorWire } from '@fundrail/providers/sdkvendor';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { SimulatorConfig } from '../config.ts';
import { uriOf } from '../mandate/register-authorisation.ts';
import { askPayer } from '../provider-payment/ask-payer.ts';
import { isKnownVpa } from '../provider-payment/collect.ts';
import { reopenPayment, type ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { store } from '../store/simulator.tables.ts';
import { drawTr, intentLink } from './intent-link.ts';
import { razorpayId } from './razorpay-id.ts';
import { existing, RazorpayRefusal } from './razorpay-refusal.ts';
import { newAttempt, type SdkPaymentRow } from './sdk-payment.ts';

type Request = sdkvendorWire.UpiRequest | sdkvendorWire.RedirectRequest;

// razorpay.com/docs: an attempt times out after 3 to 15 minutes; a collect request after the requested time, by default 5 minutes.
const ATTEMPT_MINUTES = 15;
const COLLECT_MINUTES = 5;

/** Starts an attempt to pay an order that is not paid yet. A new attempt reopens the order. */
@Injectable()
export class StartAttempt {
  constructor(
    private readonly db: Database,
    private readonly config: SimulatorConfig,
  ) {}

  /** Returns the attempt's id, and for an intent also its link. */
  async upi(request: sdkvendorWire.UpiRequest): Promise<{ razorpay_payment_id: string; link?: string }> {
    const { upi } = request;
    if (upi.flow === 'collect' && !isKnownVpa(upi.vpa))
      throw new RazorpayRefusal('invalid_vpa', 'Invalid VPA. Please enter a valid Virtual Payment Address');
    const { attempt, payment } = await this.start(request);
    const started = { razorpay_payment_id: attempt.id };
    return upi.flow === 'intent' ? { ...started, link: payment.upi_uri } : started;
  }

  /** Returns the URL of the bank's page for the investor's browser. */
  async redirect(request: sdkvendorWire.RedirectRequest) {
    const { attempt } = await this.start(request);
    const url = `${this.config.publicBaseUrl}/sandbox/bank/${attempt.id}`;
    return { razorpay_payment_id: attempt.id, next: [{ action: 'redirect', url }] };
  }

  private start(request: Request): Promise<{ attempt: SdkPaymentRow; payment: ProviderPaymentRow }> {
    return this.db.transaction(async (tx) => {
      const order = existing(await store.sdkOrders.find(tx, { id: request.order_id }));
      const payment = existing(await store.payments.lock(tx, { reference: order.reference }));
      if (payment.status === 'captured')
        throw new RazorpayRefusal(ORDER_ALREADY_PAID, 'This order has already been paid');
      if (payment.kind === 'authorisation' && order.method !== request.method)
        throw new RazorpayRefusal('input_validation_failed', `The mandate is authorised by ${order.method}`);
      const attempt = attemptOf(request, payment, tx);
      if (attempt.amount.compare(order.amount) !== 0)
        throw new RazorpayRefusal(
          'input_validation_failed',
          'Payment amount is different from the order amount',
        );
      await store.attempts.insert(tx, attempt);
      const open = reopenPayment(payment, {
        upi_uri: await linkOf(tx, payment),
        vpa: attempt.vpa,
        expires_at: new Date(tx.now.getTime() + livesMs(request)),
      });
      await store.payments.save(tx, open);
      await askPayer(tx, open);
      return { attempt, payment: open };
    });
  }
}

function attemptOf(request: Request, { tenant }: ProviderPaymentRow, tx: Tx): SdkPaymentRow {
  const { order_id, amount, currency, method } = request;
  const isBank = request.method !== 'upi';
  return newAttempt({
    ...{ id: razorpayId('pay'), order_id, tenant, amount: Decimal.ofPaise(amount), currency, method },
    bank: isBank ? request.bank : null,
    vpa: !isBank && request.upi.flow === 'collect' ? request.upi.vpa : null,
    ...{ email: request.email, contact: String(request.contact) },
    callback_url: isBank ? (request.callback_url ?? null) : null,
    ...{ notes: request.notes ?? [], created_at: tx.now },
  });
}

/** The link of this attempt. Razorpay also creates a `tr` for a mandate. */
async function linkOf(tx: Tx, payment: ProviderPaymentRow): Promise<string> {
  const mandate =
    payment.kind === 'authorisation' ? await store.mandates.find(tx, { reference: payment.reference }) : null;
  if (!mandate) return intentLink(payment);
  return uriOf({ ...mandate, reference: drawTr() }, payment.payee_name, MANDATE_URI_CODES);
}

function livesMs(request: Request): number {
  if (request.method !== 'upi' || request.upi.flow !== 'collect') return ATTEMPT_MINUTES * 60_000;
  return (request.upi.expiry_time ?? COLLECT_MINUTES) * 60_000;
}
