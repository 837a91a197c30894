import { newId } from '@fundrail/contracts';
import type { AttemptAnswer } from '../../delivery/delivery.ts';
import type { DeliveryRow } from '../../delivery/delivery.entity.ts';
import { FIRST_SECRET, type DeliveriesStage } from './deliveries-stage.ts';
import type { Answering } from './deliveries-steps.ts';
import type { HeldPost } from './held-sender.ts';

const HOUR = 3_600_000;

/** What an endpoint should be, by what clients asked for and what it answered. Times are in milliseconds of the clock. */
export class Endpoint {
  how: Answering = 'well';
  enabled = true;
  isRemoved = false;
  failingSince: number | null = null;
  pausedUntil = 0;
  secrets: { readonly secret: string; until: number }[] = [{ secret: FIRST_SECRET, until: Infinity }];
  /** Events that were published while it was enabled: there is a delivery of each. */
  readonly heard = new Set<string>();
  /** Those of them since it was enabled last. */
  readonly owed = new Set<string>();
  /** Events that it has answered with 2xx. */
  readonly accepted = new Set<string>();
  private version = 0;

  constructor(
    readonly id: string,
    readonly number: number,
  ) {}

  get url(): string {
    return urlOf(this.number, this.version);
  }

  /** Under another URL it has neither failed nor asked for a pause. */
  move(): string {
    this.version += 1;
    [this.failingSince, this.pausedUntil] = [null, 0];
    return this.url;
  }

  /** What was on its way is given up. */
  end(): void {
    this.enabled = false;
    this.owed.clear();
  }

  secretsAt(now: number): string[] {
    return this.secrets.filter(({ until }) => until > now).map(({ secret }) => secret);
  }
}

/** No host is asked for it. */
export function urlOf(number: number, version: number): string {
  return `http://127.0.0.1:9/${number}/${version}`;
}

export interface PublishedEvent {
  readonly id: string;
  readonly object: string;
  readonly sequence: number;
  readonly at: number;
}

export interface ModelReplay {
  readonly endpoint: Endpoint;
  readonly matched: ReadonlySet<string>;
  isCancelled: boolean;
}

/** Everything that should be so. */
export class Model {
  /** Removed ones too. */
  readonly endpoints: Endpoint[] = [];
  readonly events = new Map<string, PublishedEvent>();
  readonly replays = new Map<string, ModelReplay>();
  /** Failed attempts by delivery that the retry table counts. */
  readonly failures = new Map<string, number>();
  /** Deliveries that were retried by hand: they stand outside of the order. */
  readonly byHand = new Set<string>();
  /** Deliveries that were answered with 2xx, and not retried by hand since. */
  readonly delivered = new Set<string>();
  /** What no endpoint has answered yet. */
  open: HeldPost[] = [];
  answered = 0;
  private readonly sequences = new Map<string, number>();

  constructor(readonly stage: DeliveriesStage) {}

  get now(): number {
    return this.stage.clock.now().getTime();
  }

  /** One of those that are not removed. */
  one(index: number): Endpoint {
    const live = this.endpoints.filter(({ isRemoved }) => !isRemoved);
    const endpoint = live[index % live.length];
    if (!endpoint) throw new Error('there is no endpoint');
    return endpoint;
  }

  /** By the URL of a POST, also one that it had before. */
  endpointAt(url: string): Endpoint {
    const endpoint = this.endpoints[Number(new URL(url).pathname.split('/')[1])];
    if (!endpoint) throw new Error(`${url} is nobody's`);
    return endpoint;
  }

  endpointOf({ webhook }: Pick<DeliveryRow, 'webhook'>): Endpoint {
    const endpoint = this.endpoints.find(({ id }) => id === webhook);
    if (!endpoint) throw new Error(`${webhook} is no endpoint`);
    return endpoint;
  }

  async addEndpoint(): Promise<void> {
    const number = this.endpoints.length;
    this.endpoints.push(new Endpoint(await this.stage.addEndpoint(urlOf(number, 0)), number));
  }

  nextEvent(object: string): PublishedEvent {
    const sequence = (this.sequences.get(object) ?? 0) + 1;
    this.sequences.set(object, sequence);
    const event = { id: newId('event'), object, sequence, at: this.now };
    this.events.set(event.id, event);
    return event;
  }

  /** As they are now: a replay ends by itself. */
  async runningReplays(): Promise<string[]> {
    if (this.replays.size === 0) return [];
    return (await this.stage.replays()).filter(({ status }) => status === 'running').map(({ id }) => id);
  }

  runningReplay(endpoint: Endpoint, running: readonly string[]): string | null {
    return running.find((id) => this.replays.get(id)?.endpoint === endpoint) ?? null;
  }

  /** An endpoint that is disabled or removed: nothing is on its way to it, and no replay. */
  end(endpoint: Endpoint, running: readonly string[]): void {
    endpoint.end();
    for (const id of running) {
      const replay = this.replays.get(id);
      if (replay?.endpoint === endpoint) replay.isCancelled = true;
    }
  }
}

/** Any delivery, and for every second number one that waits, where one does: most have ended. */
export function oneDelivery(rows: readonly DeliveryRow[], which: number): DeliveryRow | undefined {
  const pending = rows.filter(({ status }) => status === 'pending');
  const among = which % 2 === 0 && pending.length > 0 ? pending : rows;
  return among[which % Math.max(among.length, 1)];
}

const PLAIN = { webhook_timestamp: null, duration_ms: 1, error: null, response_body: '' };

/** What an endpoint that behaves so answers to an event. A new object each time: the stage knows the answer by it. */
export function answerTo(how: Answering, event: PublishedEvent): AttemptAnswer {
  const answer = (status: number | null, retryAfterMs: number | null = null) => ({
    ...PLAIN,
    status,
    retry_after_ms: retryAfterMs,
    error: status === null ? 'no answer within 15000 ms' : null,
  });
  switch (how) {
    case 'well':
    case 'slow':
      return answer(204);
    case 'poison':
      return answer(event.object === 'A' ? 500 : 204);
    case 'failing':
      return answer(500);
    case 'busy':
      return answer(429, HOUR);
    case 'gone':
      return answer(410);
    case 'silent':
      return answer(null);
  }
}
