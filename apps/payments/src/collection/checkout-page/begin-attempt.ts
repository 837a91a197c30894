import { paymentReference } from '@fundrail/providers';
import type { ProviderCheckout, ProviderPayment } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { OpenCheckout } from '../checkout/open-checkout.ts';
import { checkoutOf, type Collection } from '../collection.ts';
import { ProviderPayments } from '../provider-payments.ts';
import { upiUriFault } from '../upi/upi-uri.ts';
import { addressed, bankUrlFault, orNull } from './addressed.ts';
import type { Way } from './attempt.table.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import { RecordAttempt, type BeginResult, type Choice, type Started } from './record-attempt.ts';
import { StartOnPage } from './start-on-page.ts';
import type { Visitor } from './visitor.ts';

/** The provider's order and what an attempt under it needs. */
interface OpenedOrder {
  readonly checkout: ProviderCheckout;
  /** The reference that an intent must contain; null where the provider generates it. */
  readonly tr: string | null;
  readonly request: ProviderPayment;
  readonly order_id: string;
}

/** Starts an attempt to pay or to authorise, in the way that the investor chose: stores the attempt, calls the provider outside any transaction, stores the outcome. */
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

  async execute(payment: Collection, choice: Choice, visitor: Visitor): Promise<BeginResult> {
    const attempt = await this.record.create(payment, choice);
    if (typeof attempt === 'string') return attempt;
    const started = payment.authorisation
      ? await orNull(this.authorisation.start(payment, choice, visitor))
      : await this.pay(payment, choice, visitor);
    return started ? this.record.conclude(attempt, started) : this.record.silent(attempt, false);
  }

  private async pay(payment: Collection, choice: Choice, visitor: Visitor): Promise<Started | null> {
    const order = await orNull(this.openOrder(payment, choice.way, visitor));
    return order && this.start(order, choice, visitor);
  }

  /** Null when the provider opened no order: nothing was started there. */
  private async openOrder(payment: Collection, way: Way, { browser }: Visitor): Promise<OpenedOrder | null> {
    const { checkout, drawsTr } = this.providers.of(payment.provider_name);
    if (!checkout) throw new Error(`${payment.provider_name} has no checkout`);
    const opened = await this.open.execute(payment);
    const order_id = (opened && checkoutOf(opened)?.order_id) ?? null;
    if (!opened || order_id === null) return null;
    const request = await this.toProvider.of(opened, this.withinMs(way));
    const tr = drawsTr ? null : paymentReference(payment.id);
    return { checkout, tr, request: { ...request, browser }, order_id };
  }

  private withinMs(way: Way): number {
    const { fromUriMs, fromCollectMs, fromCreationMs } = this.config.times;
    return { intent: fromUriMs, collect: fromCollectMs, netbanking: fromCreationMs }[way];
  }

  private async start(opened: OpenedOrder, choice: Choice, { language }: Visitor): Promise<Started> {
    const { checkout, request, tr, order_id } = opened;
    const order = { order_id };
    switch (choice.way) {
      case 'intent': {
        const intent = await checkout.startUpiIntent(request, order);
        const answer = await this.toProvider.handles.checked(request.tenant, intent);
        return addressed(
          answer,
          ({ uri }) => uri,
          (uri) => upiUriFault(uri, { ...request, tr }),
        );
      }
      case 'collect':
        return addressed(await checkout.startUpiCollect(request, order, choice.vpa), () => null);
      case 'netbanking': {
        const back = `${this.config.publicBaseUrl}${CHECKOUT_PATH}/capture/${request.payment_id}?lang=${language}`;
        const answer = await checkout.startNetbanking(request, order, choice.bank, back);
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
