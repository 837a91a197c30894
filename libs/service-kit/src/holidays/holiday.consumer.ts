import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { holdHolidays } from './holiday-copy.repository.ts';
import { HolidayCopy } from './holiday-copy.ts';
import { RecountDeadlines } from './recount-deadlines.ts';

/**
 * One service owns the holiday list (ADMIN-11). A service that counts by it keeps a copy, updates it by these events, and counts its
 * deadlines again (CONV-35).
 */
@Controller()
export class HolidayConsumer {
  constructor(
    private readonly copy: HolidayCopy,
    private readonly deadlines: RecountDeadlines,
  ) {}

  @OnEvent('holiday_year.replaced')
  async onReplaced(
    @Payload() event: ReceivedEvent<'holiday_year.replaced'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await holdHolidays(tx);
    await this.copy.replace(tx, event.object);
    await this.deadlines.begin(tx, event.tenant);
  }
}
