import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { LearnMoney } from './learn-money.ts';

/** Consumes when the money of purchases was received, and when it reached the gateway (ORD-36). */
@Controller()
export class MoneyConsumer {
  constructor(private readonly learn: LearnMoney) {}

  @OnEvent('payment.success', 'payment.approved')
  async onMoney(
    @Payload() { tenant, object }: ReceivedEvent<'payment.success' | 'payment.approved'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.learn.executeIn(tx, tenant, object);
  }
}
