import { OnEvent, OnEventsTogether, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { passFaultPoint } from '../fault-points.ts';
import { learnInstallmentEnd } from './end-installment.ts';
import { recordPurchaseEnds } from './end-purchases.ts';

type RedemptionEnded = 'mf_redemption.successful' | 'mf_redemption.failed' | 'mf_redemption.cancelled';
type PurchaseEnded = 'mf_purchase.successful' | 'mf_purchase.failed' | 'mf_purchase.cancelled';

/** Records the ends of installments at their plans (PLAN-17, SIP-16). */
@Controller()
export class OrderConsumer {
  constructor(private readonly log: Log) {}

  @OnEvent('mf_redemption.successful', 'mf_redemption.failed', 'mf_redemption.cancelled')
  async onRedemptionEnded(
    @Payload() event: ReceivedEvent<RedemptionEnded>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const { id, plan, installment_number } = event.object;
    if (plan === null || installment_number === null) return;
    const of = { plan, installment_number, redemption: id };
    if (!(await learnInstallmentEnd(tx, event.tenant, of))) {
      this.log.info("received a redemption's end that changes nothing", { tenant: event.tenant, ...of });
      return;
    }
    await passFaultPoint('plans.end.before_commit');
  }

  @OnEventsTogether('mf_purchase.successful')
  onSuccessful(
    @Payload() events: readonly ReceivedEvent<'mf_purchase.successful'>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    return this.endAll(tx, events);
  }

  @OnEventsTogether('mf_purchase.failed')
  onFailed(
    @Payload() events: readonly ReceivedEvent<'mf_purchase.failed'>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    return this.endAll(tx, events);
  }

  @OnEventsTogether('mf_purchase.cancelled')
  onCancelled(
    @Payload() events: readonly ReceivedEvent<'mf_purchase.cancelled'>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    return this.endAll(tx, events);
  }

  /** Most purchases are of no plan. */
  private async endAll(tx: Tx, events: readonly ReceivedEvent<PurchaseEnded>[]): Promise<void> {
    const ends = events.flatMap(({ tenant, object }) => {
      const { id: redemption, plan, installment_number, state, failure_code, folio_number } = object;
      if (plan === null || installment_number === null) return [];
      return [{ tenant, plan, installment_number, redemption, state, failure_code, folio_number }];
    });
    if (ends.length === 0) return;
    const recorded = await recordPurchaseEnds(tx, ends);
    if (recorded < ends.length)
      this.log.info('received ends of purchases that change nothing', { ends: ends.length, recorded });
    await passFaultPoint('plans.end.before_commit');
  }
}
