import type { EventStrategy, OutboxRelay } from '@fundrail/messaging';

/** The events that this process published and consumed, and those on their way; all 0 without a bus. */
export class EventCounts {
  constructor(
    private readonly relay: OutboxRelay | null,
    private readonly strategy: EventStrategy | null,
  ) {}

  now(): { readonly published: number; readonly consumed: number; readonly in_flight: number } {
    const out = this.relay?.counts() ?? { published: 0, in_flight: 0 };
    const into = this.strategy?.counts() ?? { consumed: 0, in_flight: 0 };
    return { published: out.published, consumed: into.consumed, in_flight: out.in_flight + into.in_flight };
  }
}
