import type { PaymentDto } from '@fundrail/contracts';
import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { AdoptDebit } from './adopt-debit.ts';
import { EndDebit } from './end-debit.ts';
import { TakeDebitFact } from './take-debit-fact.ts';

/** Consumes what payments publishes about debits. Makes no remote call. */
@Controller()
export class DebitPaymentConsumer {
  constructor(
    private readonly ends: EndDebit,
    private readonly facts: TakeDebitFact,
    private readonly adoptions: AdoptDebit,
  ) {}

  /** A debit ends when its payment fails or its money goes back. */
  @OnEvent('payment.failed', 'payment.rejected')
  async onEndedPayment(
    @Payload() event: ReceivedEvent<'payment.failed' | 'payment.rejected'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const { id, payment_type }: PaymentDto = event.object;
    if (payment_type === 'NACH') await this.ends.afterPayment(tx, { tenant: event.tenant, payment_id: id });
  }

  @OnEvent('payment.debit_fact')
  async onDebitFact(
    @Payload() event: ReceivedEvent<'payment.debit_fact'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.facts.within(tx, event.tenant, event.object);
  }

  @OnEvent('payment.debit_handed_over')
  async onHandedDebit(
    @Payload() event: ReceivedEvent<'payment.debit_handed_over'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.adoptions.within(tx, event.tenant, event.object);
  }
}
