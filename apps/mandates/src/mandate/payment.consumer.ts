import type { PaymentDto } from '@fundrail/contracts';
import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { LearnAuthorisationFact } from '../authorisation/learn-authorisation-fact.ts';
import { AdoptDebit } from '../debit/adopt-debit.ts';
import { EndDebit } from '../debit/end-debit.ts';
import { TakeDebitFact } from '../debit/take-debit-fact.ts';
import { LearnMandateFacts } from '../fact/learn-mandate-facts.ts';
import { freeAuthorisation } from './mandate.repository.ts';

type EndType = 'payment.success' | 'payment.failed' | 'payment.rejected';

/**
 * Consumes the events of payments: the ends of authorisations and debits, and facts about mandates and debits. Makes no remote
 * call.
 */
@Controller()
export class PaymentConsumer {
  constructor(
    private readonly ends: EndDebit,
    private readonly debits: TakeDebitFact,
    private readonly adoptions: AdoptDebit,
    private readonly authorisations: LearnAuthorisationFact,
    private readonly facts: LearnMandateFacts,
  ) {}

  /** After an authorisation has ended the next one may start. A debit ends when its payment fails or its money goes back. */
  @OnEvent('payment.success', 'payment.failed', 'payment.rejected')
  async onEndedPayment(@Payload() event: ReceivedEvent<EndType>, @Ctx() { tx }: EventContext): Promise<void> {
    const { tenant, type } = event;
    const { id, mandate_id, payment_type }: PaymentDto = event.object;
    if (mandate_id === null) return;
    if (payment_type === 'AUTH_TRANSACTION') await freeAuthorisation(tx, tenant, mandate_id, id);
    if (payment_type === 'NACH' && type !== 'payment.success')
      await this.ends.afterPayment(tx, { tenant, payment_id: id });
  }

  @OnEvent('payment.mandate_fact')
  async onAuthorisationFact(
    @Payload() event: ReceivedEvent<'payment.mandate_fact'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.authorisations.execute(tx, event.tenant, event.object);
  }

  @OnEvent('payment.debit_fact')
  async onDebitFact(
    @Payload() event: ReceivedEvent<'payment.debit_fact'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.debits.within(tx, event.tenant, event.object);
  }

  @OnEvent('payment.debit_handed_over')
  async onHandedDebit(
    @Payload() event: ReceivedEvent<'payment.debit_handed_over'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.adoptions.within(tx, event.tenant, event.object);
  }

  /** A notification that arrives twice is applied once, because the provider's own event id is stored. */
  @OnEvent('mandate_fact.received')
  async onMandateFact(
    @Payload() event: ReceivedEvent<'mandate_fact.received'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const { provider_name, event_id, mandate_token, status } = event.object;
    await this.facts.execute(tx, { provider_name, event_id, mandate_token, state: status });
  }
}
