import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { ReleaseClaim } from './release-claim.ts';

/**
 * A payment that failed or was rejected lets go of its orders (contract §3). `payment.pending` is not listened to: the
 * sweep learns in one call about hundreds of payments what that event would tell one by one on the busiest path.
 */
@Controller()
export class ClaimConsumer {
  constructor(private readonly releaseClaim: ReleaseClaim) {}

  @OnEvent('payment.failed', 'payment.rejected')
  async onDeadPayment(
    @Payload() event: ReceivedEvent<'payment.failed' | 'payment.rejected'>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.releaseClaim.executeIn(context.tx, event.tenant, event.object.id);
  }
}
