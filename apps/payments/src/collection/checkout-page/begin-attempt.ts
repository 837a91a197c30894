import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { OpenCheckout, type OpenOrder } from '../checkout/open-checkout.ts';
import type { Collection } from '../collection.ts';
import { PayeeHandles } from '../upi/payee-handles.ts';
import { upiUriFault } from '../upi/upi-uri.ts';
import { addressed, bankUrlFault, orNull } from './addressed.ts';
import type { Way } from './attempt.table.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import { RecordAttempt, type BeginResult, type Choice, type Started } from './record-attempt.ts';
import { StartOnPage } from './start-on-page.ts';
import type { Visitor } from './visitor.ts';

/** Starts an attempt to pay or to authorise, in the way that the investor chose: stores the attempt, calls the provider outside any transaction, stores the outcome. */
@Injectable()
export class BeginAttempt {
  constructor(
    private readonly open: OpenCheckout,
    private readonly handles: PayeeHandles,
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
    // Null when the provider opened no order: nothing was started there.
    const { way } = choice;
    const order = await orNull(this.open.forAttempt(payment, this.withinMs(way), way !== 'netbanking'));
    return order && this.start(order, choice, visitor);
  }

  private withinMs(way: Way): number {
    const { fromUriMs, fromCollectMs, fromCreationMs } = this.config.times;
    return { intent: fromUriMs, collect: fromCollectMs, netbanking: fromCreationMs }[way];
  }

  private async start(opened: OpenOrder, choice: Choice, { browser, language }: Visitor): Promise<Started> {
    const { checkout, tr, order_id } = opened;
    const [request, order] = [{ ...opened.request, browser }, { order_id }];
    switch (choice.way) {
      case 'intent': {
        const intent = await checkout.startUpiIntent(request, order);
        const answer = await this.handles.checked(request.tenant, intent);
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
