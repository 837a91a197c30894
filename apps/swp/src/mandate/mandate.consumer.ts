import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { TellMandateUnusable } from './tell-mandate-unusable.ts';

const WHY = {
  'mandate.cancelled': 'mandate_cancelled',
  'mandate.paused': 'mandate_paused',
  'mandate.expired': 'mandate_expired',
} as const;

/** What mandates tells that plans have to know. */
@Controller()
export class MandateConsumer {
  constructor(private readonly tell: TellMandateUnusable) {}

  @OnEvent('mandate.cancelled', 'mandate.paused', 'mandate.expired')
  async onUnusable(
    @Payload() event: ReceivedEvent<'mandate.cancelled' | 'mandate.paused' | 'mandate.expired'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.tell.ended(tx, event.tenant, event.object.id, WHY[event.type]);
  }

  @OnEvent('mandate.resumed')
  async onResumed(
    @Payload() event: ReceivedEvent<'mandate.resumed'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.tell.resumed(tx, event.tenant, event.object.id);
  }
}
