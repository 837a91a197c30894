import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { ReleaseClaim } from './release-claim.ts';

/**
 * Releases the orders of a payment that failed or was rejected (PAY-27). `payment.pending` is not consumed: the sweep asks about
 * hundreds of payments in one call, and that event would come for each of them on the busiest path.
 */
@Controller()
export class ClaimConsumer {
  constructor(private readonly releaseClaim: ReleaseClaim) {}

  @OnEvent('payment.failed', 'payment.rejected')
  async onDeadPayment(
    @Payload() event: ReceivedEvent<'payment.failed' | 'payment.rejected'>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.releaseClaim.executeIn(context.tx, { tenant: event.tenant, payment_id: event.object.id });
  }
}
