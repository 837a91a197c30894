import { OnPublicEvents, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { StoreEvent } from './store-event.ts';

/** Receives every public event. */
@Controller()
export class EventConsumer {
  constructor(private readonly storeEvent: StoreEvent) {}

  @OnPublicEvents()
  async onEvents(@Payload() events: readonly ReceivedEvent[], @Ctx() context: EventContext): Promise<void> {
    await this.storeEvent.execute(context.tx, events);
  }
}
