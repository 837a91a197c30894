import type { CreatedPaymentDto } from '@fundrail/contracts';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { AnswerCreation, ProviderRefused, type Started } from '../answer-creation.ts';
import { checkoutOf, type Collection } from '../collection.ts';
import { ProviderPayments } from '../provider-payments.ts';
import { CheckoutAnswers } from './checkout-answers.ts';
import { OpenCheckout, openCheckout } from './open-checkout.ts';

/** The creation of a payment with SDK options: its answer needs the provider's order. */
@Injectable()
export class StartSdkCheckout {
  constructor(
    private readonly open: OpenCheckout,
    private readonly answers: CheckoutAnswers,
    private readonly toProvider: ProviderPayments,
    private readonly creation: AnswerCreation,
  ) {}

  /** Throws as `AnswerCreation`, and 503 when identity does not answer. */
  execute(caller: Caller, payment: Collection): Promise<CreatedPaymentDto> {
    return this.creation.execute(caller, payment, () => this.start(payment));
  }

  private async start(payment: Collection): Promise<Started<CreatedPaymentDto> | null> {
    // Before the order is created, because this may fail.
    const contact = await this.toProvider.contactOf(payment);
    const order_id = checkoutOf(payment)?.order_id ?? (await this.orderOf(payment));
    if (order_id === null) return null;
    return {
      decide: (row, now) => openCheckout(row, { order_id }, now),
      answer: (row) => this.answers.createdWithSdk(row, contact),
    };
  }

  private async orderOf(payment: Collection): Promise<string | null> {
    const opened = await this.open.order(payment);
    if (opened.kind === 'refused') throw new ProviderRefused(opened);
    return opened.kind === 'opened' ? opened.order_id : null;
  }
}
