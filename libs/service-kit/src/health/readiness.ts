import type { OutboxLag, OutboxRelay } from '@fundrail/messaging';

/** Whether the service has started, and how its relay does. */
export class Readiness {
  isStarted = false;

  constructor(private readonly relay: OutboxRelay | null) {}

  /** `none`: events wait in the outbox. */
  get bus(): 'ok' | 'none' {
    return this.relay ? 'ok' : 'none';
  }

  relayLag(): Promise<OutboxLag | null> {
    return this.relay?.lag().catch(() => null) ?? Promise.resolve(null);
  }
}
