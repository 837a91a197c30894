import type { ProviderCheckout, ProviderPayment } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { OpenCheckout } from '../payment/open-checkout.ts';
import type { Payment } from '../payment/payment.ts';
import { ProviderPayments } from '../payment/provider-payments.ts';
import { paymentReference } from '../payment/references.ts';
import { upiUriFault } from '../payment/upi-uri.ts';
import { addressed, bankUrlFault, orNull } from './addressed.ts';
import type { Way } from './attempt.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import { RecordAttempt, type Begun, type Choice, type Started } from './record-attempt.ts';
import { StartOnPage } from './start-on-page.ts';
import type { Visitor } from './visitor.ts';

/** A provider's order to begin under, and what it takes to begin. */
interface Under {
  readonly checkout: ProviderCheckout;
  /** The reference that an intent has to carry; null where the provider draws it. */
  readonly tr: string | null;
  readonly asked: ProviderPayment;
  readonly order_id: string;
}

/** Begins to pay, or to authorise, at the provider, in the way that the investor chose: the intent, the call outside any transaction, the outcome. */
@Injectable()
export class BeginAttempt {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly open: OpenCheckout,
    private readonly toProvider: ProviderPayments,
    private readonly record: RecordAttempt,
    private readonly authorisation: StartOnPage,
    private readonly config: PaymentsConfig,
  ) {}

  async execute(payment: Payment, choice: Choice, visitor: Visitor): Promise<Begun> {
    const attempt = await this.record.intend(payment, choice);
    if (typeof attempt === 'string') return attempt;
    const started =
      payment.payment_type === 'AUTH_TRANSACTION'
        ? await orNull(this.authorisation.start(payment, choice, visitor))
        : await this.pay(payment, choice, visitor);
    return started ? this.record.conclude(attempt, started) : this.record.silent(attempt, false);
  }

  private async pay(payment: Payment, choice: Choice, visitor: Visitor): Promise<Started | null> {
    const under = await orNull(this.under(payment, choice.way, visitor));
    return under && this.start(under, choice, visitor);
  }

  /** Null when the provider opened no order: nothing was begun there. */
  private async under(payment: Payment, way: Way, { browser }: Visitor): Promise<Under | null> {
    const { checkout, drawsTr } = this.providers.of(payment.provider_name);
    if (!checkout) throw new Error(`${payment.provider_name} has no checkout`);
    const opened = await this.open.execute(payment);
    if (opened?.checkout_order_id == null) return null;
    const asked = await this.toProvider.of(opened, this.withinMs(way));
    const tr = drawsTr ? null : paymentReference(payment.id);
    return { checkout, tr, asked: { ...asked, browser }, order_id: opened.checkout_order_id };
  }

  private withinMs(way: Way): number {
    const { fromUriMs, fromCollectMs, fromCreationMs } = this.config.times;
    return { intent: fromUriMs, collect: fromCollectMs, netbanking: fromCreationMs }[way];
  }

  private async start(under: Under, choice: Choice, { language }: Visitor): Promise<Started> {
    const { checkout, asked, order_id } = under;
    const order = { order_id };
    switch (choice.way) {
      case 'intent': {
        const answer = await checkout.startUpiIntent(asked, order);
        return addressed(
          answer,
          ({ uri }) => uri,
          (uri) => upiUriFault(uri, { tr: under.tr, amount: asked.amount }),
        );
      }
      case 'collect':
        return addressed(await checkout.startUpiCollect(asked, order, choice.vpa), () => null);
      case 'netbanking': {
        const back = `${this.config.publicBaseUrl}${CHECKOUT_PATH}/capture/${asked.payment_id}?lang=${language}`;
        const answer = await checkout.startNetbanking(asked, order, choice.bank, back);
        return addressed(
          answer,
          ({ redirect_url }) => redirect_url,
          (url) => bankUrlFault(url, this.config.sandbox),
        );
      }
      default:
        return choice satisfies never;
    }
  }
}
