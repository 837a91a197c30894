import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { HolidayCopy } from './holiday-copy.ts';

/**
 * The one holiday list is swp's (contract §10); a service that reckons by it keeps a copy, and changes it by these events. What is
 * scheduled already stays.
 */
@Controller()
export class HolidayConsumer {
  constructor(private readonly copy: HolidayCopy) {}

  @OnEvent('holiday_year.replaced')
  async onReplaced(
    @Payload() event: ReceivedEvent<'holiday_year.replaced'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await this.copy.replace(tx, event.object);
  }
}
