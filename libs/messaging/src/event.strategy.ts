import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { throwError, type Observable } from 'rxjs';
import type { Transactions } from './database.port.ts';
import type { EventBus } from './event-bus.port.ts';

export interface EventStrategyOptions {
  /** The consumer group: the service's name. */
  readonly group: string;
  readonly bus: EventBus;
  readonly transactions: Transactions;
  /** Pauses between the tries of an event, in wall milliseconds; one more try than pauses. [100, 500, 2000, 5000]: five tries. */
  readonly backOffMs?: readonly number[];
}

/**
 * What the application's global exception filter answers for events: `if (host.getType() === 'rpc') return
 * rethrowEventError(error)`. Without it Nest puts "Internal server error" in the place of every error.
 */
export function rethrowEventError(error: unknown): Observable<never> {
  return throwError(() => error);
}

/**
 * Nest's `@EventPattern` handlers over an `EventBus`: `app.connectMicroservice({ strategy }, { inheritAppConfig: true })`.
 * The application needs a global filter that rethrows the original error of an `rpc` host (see `rethrowEventError`).
 */
export class EventStrategy extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('fundrail-events');

  constructor(readonly options: EventStrategyOptions) {
    super();
  }

  listen(_ready: (error?: unknown) => void): void {
    throw new Error('not built yet');
  }

  close(): Promise<void> {
    throw new Error('not built yet');
  }

  override on(): never {
    throw new Error('the event strategy has no events of its own');
  }

  override unwrap<T>(): T {
    return this.options.bus as T;
  }

  /** Counts since the start of the process, for `/internal/sandbox/quiet`. */
  counts(): { readonly consumed: number; readonly in_flight: number } {
    throw new Error('not built yet');
  }
}
