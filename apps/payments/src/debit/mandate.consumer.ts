import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { ChangeDebit } from './change-debit.ts';
import { liveDebitsOf } from './debit.repository.ts';
import { mandateEnded } from './debit.ts';

/** Ends the debits of a mandate that has ended. Without this they would wait until their permit is refused. */
@Controller()
export class MandateConsumer {
  constructor(private readonly change: ChangeDebit) {}

  @OnEvent('mandate.cancelled', 'mandate.expired')
  async onEnd(
    @Payload() event: ReceivedEvent<'mandate.cancelled' | 'mandate.expired'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const { tenant, object } = event;
    for (const id of await liveDebitsOf(tx, tenant, object.id))
      await this.change.within(tx, { tenant, id }, (payment, debit) => mandateEnded(payment, debit, tx.now));
  }
}
