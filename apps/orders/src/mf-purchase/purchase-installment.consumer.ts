import { OnEventsTogether, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { TakeInstallments } from '../mf-redemption/take-installments.ts';
import { passFaultPoint } from '../order/fault-points.ts';

type Generated = 'mf_purchase_plan.installment_generated';

/** Consumes the installments that purchase plans generate (SIP-13). */
@Controller()
export class PurchaseInstallmentConsumer {
  constructor(private readonly take: TakeInstallments) {}

  /** The events of many plans arrive together, at 00:05. */
  @OnEventsTogether('mf_purchase_plan.installment_generated')
  async onGenerated(
    @Payload() events: readonly ReceivedEvent<Generated>[],
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.take.executeIn(context.tx, events);
    await passFaultPoint('orders.installments.before_commit');
  }
}
