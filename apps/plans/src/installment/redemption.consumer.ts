import type { MfRedemptionDto } from '@fundrail/contracts';
import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { passFaultPoint } from '../fault-points.ts';
import { learnInstallmentEnd } from './end-installment.ts';

type Ended = 'mf_redemption.successful' | 'mf_redemption.failed' | 'mf_redemption.cancelled';

/** A plan is completed when its last installment ends, in any state (PLAN-17). */
@Controller()
export class RedemptionConsumer {
  constructor(private readonly log: Log) {}

  @OnEvent('mf_redemption.successful', 'mf_redemption.failed', 'mf_redemption.cancelled')
  async onEnded(@Payload() event: ReceivedEvent<Ended>, @Ctx() { tx }: EventContext): Promise<void> {
    await this.end(tx, event.tenant, event.object);
  }

  private async end(tx: Tx, tenant: string, redemption: MfRedemptionDto): Promise<void> {
    const { id, plan, installment_number } = redemption;
    if (plan === null || installment_number === null) return;
    const of = { plan, installment_number, redemption: id };
    if (!(await learnInstallmentEnd(tx, tenant, of))) {
      this.log.info('received a redemption end that changes nothing', { tenant, ...of });
      return;
    }
    await passFaultPoint('plans.end.before_commit');
  }
}
