import { OnEvent, OnEventsTogether, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { passFaultPoint } from '../order/fault-points.ts';
import { LearnCollection } from './learn-collection.ts';
import { TakeInstallments } from './take-installments.ts';

/** What the plans generate, and what becomes of the debits that collect it (contract §5). */
@Controller()
export class InstallmentConsumer {
  constructor(
    private readonly take: TakeInstallments,
    private readonly learn: LearnCollection,
  ) {}

  /** Those of many plans come together, at 00:05. */
  @OnEventsTogether('mf_redemption_plan.installment_generated')
  async onGenerated(
    @Payload() events: readonly ReceivedEvent<'mf_redemption_plan.installment_generated'>[],
    @Ctx() context: EventContext,
  ): Promise<void> {
    const generated = events.map(({ tenant, object, traceparent }) => ({
      tenant,
      installment: object,
      traceparent,
    }));
    await this.take.executeIn(context.tx, generated);
    await passFaultPoint('orders.installments.before_commit');
  }

  /** A debit that failed is heard of here too, before or after its claim was let go. */
  @OnEvent('payment.success', 'payment.failed', 'payment.rejected')
  async onDebit(
    @Payload() event: ReceivedEvent<'payment.success' | 'payment.failed' | 'payment.rejected'>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    const { id, payment_type, status, amc_order_ids } = event.object;
    if (payment_type !== 'NACH') return;
    await this.learn.executeIn(context.tx, event.tenant, amc_order_ids, { payment_id: id, status });
  }
}
