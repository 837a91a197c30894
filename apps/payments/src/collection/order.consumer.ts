import type { EventType } from '@fundrail/contracts';
import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { ObserveOrder } from './observe-order.ts';

/** The events after the consent, without which no payment claims an order; the answer to the claim contains the state until then. */
type OrderEventType = Exclude<
  Extract<EventType, `mf_purchase.${string}`>,
  'mf_purchase.created' | 'mf_purchase.review_completed' | 'mf_purchase.consent_recorded'
>;
/** The events after a debit was created; before that, the answer to the claim contained the state of the installment. */
type InstallmentEventType =
  'mf_redemption.submitted' | 'mf_redemption.successful' | 'mf_redemption.failed' | 'mf_redemption.reversed';

@Controller()
export class OrderConsumer {
  constructor(private readonly observe: ObserveOrder) {}

  @OnEvent(
    'mf_purchase.confirmed',
    'mf_purchase.submitted',
    'mf_purchase.successful',
    'mf_purchase.failed',
    'mf_purchase.cancelled',
    'mf_purchase.reversed',
  )
  async onOrderEvent(
    @Payload() event: ReceivedEvent<OrderEventType>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.observe.execute(context.tx, event);
  }
  @OnEvent(
    'mf_redemption.submitted',
    'mf_redemption.successful',
    'mf_redemption.failed',
    'mf_redemption.reversed',
  )
  async onInstallmentEvent(
    @Payload() event: ReceivedEvent<InstallmentEventType>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.observe.executeForDebited(context.tx, event);
  }
}
