import { Logger } from '@nestjs/common';
import type { Transactions, Tx } from '@fundrail/persistence';
import { loggedError } from './error-text.ts';
import type { EventConsumer } from './event-consumer.ts';
import { processingOf } from './event-spans.ts';
import { takeFromInbox } from './inbox.ts';
import {
  lockReplayable,
  markFailed,
  markReplayed,
  nextReplayable,
  type ReplayableEvent,
} from './parked-events.ts';
import { UnreadableEvent } from './received-event.ts';
import type { SpanFacts } from './tracing.port.ts';

/** The span of replaying a message that is not an event. */
const REPLAY: SpanFacts = { name: 'replay', kind: 'consumer', attributes: {} };

interface ParkedReplayOptions {
  readonly group: string;
  readonly transactions: Transactions;
  readonly consumer: EventConsumer;
}

/**
 * Runs the parked events of a group that may run: those requested by `replayParked`, then the events behind them, in sequence
 * order. Replicas may do this at the same time: an event is locked while it runs.
 */
export class ParkedReplay {
  readonly #logger = new Logger(ParkedReplay.name);

  constructor(private readonly options: ParkedReplayOptions) {}

  /** Runs all that may run now. Rejects when the database is lost or the consumer is stopped. */
  async runAll(): Promise<void> {
    const { transactions, group } = this.options;
    for (let event, ours = true; ours && (event = await nextReplayable(transactions, group));)
      ours = await this.#run(event);
  }

  /** False: another replica runs it. */
  async #run(event: ReplayableEvent): Promise<boolean> {
    const { consumer, group, transactions } = this.options;
    let ours = true;
    await consumer.settle({
      traceparent: event.envelope?.traceparent ?? null,
      facts: () => (event.envelope ? processingOf(group, event.envelope) : REPLAY),
      attempt: async (attempt) => {
        ours = await transactions.transaction((tx) => this.#replay(tx, event, attempt));
      },
      giveUp: (error, tries) => this.#giveUp(event, error, tries),
    });
    return ours;
  }

  async #replay(tx: Tx, { id, envelope }: ReplayableEvent, attempt: number): Promise<boolean> {
    const { consumer, group } = this.options;
    if (!(await lockReplayable(tx, group, id))) return false;
    if (!envelope) throw new UnreadableEvent('the parked message is still not an event');
    if (await takeFromInbox(tx, group, envelope.id)) await consumer.handle(tx, [envelope], attempt);
    await markReplayed(tx, id);
    return true;
  }

  async #giveUp({ id, envelope }: ReplayableEvent, error: unknown, tries: number): Promise<void> {
    const { group, transactions } = this.options;
    await transactions.transaction((tx) => markFailed(tx, id, error, tries));
    this.#logger.error({
      msg: 'replay of a parked event failed',
      group,
      event_id: envelope?.id,
      type: envelope?.type,
      tries,
      err: loggedError(error),
    });
  }
}
