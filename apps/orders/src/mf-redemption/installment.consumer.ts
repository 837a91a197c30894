import { OnEvent, OnEventsTogether, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { passFaultPoint } from '../order/fault-points.ts';
import { LearnCollection } from './learn-collection.ts';
import { TakeInstallments } from './take-installments.ts';

type OfRedemption = 'mf_redemption_plan.installment_generated';
type OfPurchase = 'mf_purchase_plan.installment_generated';

/** Consumes the installments that plans generate, and the ends of the debits that collect them (PLAN-18, PLAN-23, SIP-13). */
@Controller()
export class InstallmentConsumer {
  constructor(
    private readonly take: TakeInstallments,
    private readonly learn: LearnCollection,
  ) {}

  @OnEventsTogether('mf_redemption_plan.installment_generated')
  onRedemptions(
    @Payload() events: readonly ReceivedEvent<OfRedemption>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    return this.takeAll(tx, events);
  }

  @OnEventsTogether('mf_purchase_plan.installment_generated')
  onPurchases(
    @Payload() events: readonly ReceivedEvent<OfPurchase>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    return this.takeAll(tx, events);
  }

  /** Also receives a debit that failed, before or after its claim was released. */
  @OnEvent('payment.success', 'payment.failed', 'payment.rejected')
  async onDebit(
    @Payload() event: ReceivedEvent<'payment.success' | 'payment.failed' | 'payment.rejected'>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    const { id, payment_type, status, amc_order_ids } = event.object;
    if (payment_type !== 'NACH') return;
    await this.learn.executeIn(context.tx, event.tenant, amc_order_ids, { payment_id: id, status });
  }

  /** The events of many plans arrive together, at 00:05. */
  private async takeAll(tx: Tx, events: readonly ReceivedEvent<OfRedemption | OfPurchase>[]): Promise<void> {
    await this.take.executeIn(tx, events);
    await passFaultPoint('orders.installments.before_commit');
  }
}
