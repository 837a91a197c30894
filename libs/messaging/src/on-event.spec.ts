import { PUBLIC_EVENT_TYPES } from '@fundrail/contracts';
import { OnEvent, OnEventsTogether, OnPublicEvents, type EventContext } from './on-event.ts';
import type { ReceivedEvent } from './received-event.ts';

// Nest's internal key; if it changed, every consumer would silently stop receiving events.
const PATTERN = 'microservices:pattern';

class Consumer {
  @OnEvent('payment.failed')
  onFailed(_event: ReceivedEvent<'payment.failed'>, _context: EventContext): Promise<void> {
    return Promise.resolve();
  }

  @OnEvent('payment.failed', 'payment.rejected')
  onEither(_event: ReceivedEvent<'payment.failed' | 'payment.rejected'>): Promise<void> {
    return Promise.resolve();
  }

  @OnPublicEvents()
  onAny(_events: readonly ReceivedEvent[]): Promise<void> {
    return Promise.resolve();
  }

  @OnEventsTogether('payment.rejected')
  onSeveral(_events: readonly ReceivedEvent<'payment.rejected'>[]): Promise<void> {
    return Promise.resolve();
  }

  // @ts-expect-error A method for another event does not compile.
  @OnEvent('payment.success')
  onWrong(_event: ReceivedEvent<'payment.failed'>): Promise<void> {
    return Promise.resolve();
  }

  // @ts-expect-error Nor does a type that is not in the catalogue.
  @OnEvent('payment.vanished')
  onUnknown(_event: ReceivedEvent): Promise<void> {
    return Promise.resolve();
  }
}

describe('OnEvent', () => {
  it.each([
    ['onFailed', ['payment.failed']],
    ['onEither', ['payment.failed', 'payment.rejected']],
    ['onSeveral', ['payment.rejected']],
    ['onAny', PUBLIC_EVENT_TYPES],
  ] as const)('%s', (method, types) => {
    expect(Reflect.getMetadata(PATTERN, Consumer.prototype[method])).toEqual(types);
  });

  it('gives clients no internal event', () => {
    expect(PUBLIC_EVENT_TYPES).not.toContain('mf_purchase.consent_recorded');
  });
});
