import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { ReportMandateUnusable } from './report-mandate-unusable.ts';

const WHY = {
  'mandate.cancelled': 'mandate_cancelled',
  'mandate.paused': 'mandate_paused',
  'mandate.expired': 'mandate_expired',
} as const;

/** Applies the mandate events that matter to plans. */
@Controller()
export class MandateConsumer {
  constructor(private readonly report: ReportMandateUnusable) {}

  @OnEvent('mandate.cancelled', 'mandate.paused', 'mandate.expired')
  async onUnusable(
    @Payload() event: ReceivedEvent<'mandate.cancelled' | 'mandate.paused' | 'mandate.expired'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.report.ended(tx, event.tenant, event.object.id, WHY[event.type]);
  }

  @OnEvent('mandate.resumed')
  async onResumed(
    @Payload() event: ReceivedEvent<'mandate.resumed'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.report.resumed(tx, event.tenant, event.object.id);
  }

  @OnEvent('mandate.modified')
  async onModified(
    @Payload() event: ReceivedEvent<'mandate.modified'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.report.modified(tx, event.tenant, { ...event.object, event_seq: event.sequence });
  }
}
