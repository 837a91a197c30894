import type { PaymentDto } from '@fundrail/contracts';
import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { LearnAuthorisationFact } from '../authorisation/learn-authorisation-fact.ts';
import { LearnMandateFacts } from '../fact/learn-mandate-facts.ts';
import { freeAuthorisation } from './mandate.repository.ts';

type EndType = 'payment.success' | 'payment.failed' | 'payment.rejected';

/** Consumes what payments publishes about authorisations, and what providers report about mandates. Makes no remote call. */
@Controller()
export class PaymentConsumer {
  constructor(
    private readonly authorisations: LearnAuthorisationFact,
    private readonly facts: LearnMandateFacts,
  ) {}

  /** After an authorisation has ended the next one may start. */
  @OnEvent('payment.success', 'payment.failed', 'payment.rejected')
  async onEndedPayment(@Payload() event: ReceivedEvent<EndType>, @Ctx() { tx }: EventContext): Promise<void> {
    const { id, mandate_id, payment_type }: PaymentDto = event.object;
    if (mandate_id !== null && payment_type === 'AUTH_TRANSACTION')
      await freeAuthorisation(tx, event.tenant, mandate_id, id);
  }

  @OnEvent('payment.mandate_fact')
  async onAuthorisationFact(
    @Payload() event: ReceivedEvent<'payment.mandate_fact'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.authorisations.execute(tx, event.tenant, event.object);
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
