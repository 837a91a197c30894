import { PUBLIC_EVENT_TYPES } from '@fundrail/contracts';
import { Controller, Module } from '@nestjs/common';
import { OnEvent, OnPublicEvents } from '../on-event.ts';
import { handledTypes } from './handled-types.ts';

@Controller()
class Two {
  @OnEvent('payment.failed', 'payment.rejected')
  onEvent(_event: unknown): Promise<void> {
    return Promise.resolve();
  }

  other(): void {
    throw new Error('it consumes nothing');
  }
}

@Controller()
class AllPublic {
  @OnPublicEvents()
  onEvent(_event: unknown): Promise<void> {
    return Promise.resolve();
  }
}

@Module({ controllers: [Two] })
class OwnModule {}

@Module({ imports: [OwnModule], controllers: [AllPublic] })
class OuterModule {}

describe('the event types that a service handles', () => {
  it('are those of its consumers', () => {
    expect([...handledTypes(OwnModule)]).toEqual(['payment.failed', 'payment.rejected']);
  });

  it('are those of imported modules, too, each once', () => {
    expect([...handledTypes(OuterModule)].sort()).toEqual([...PUBLIC_EVENT_TYPES].sort());
  });
});
