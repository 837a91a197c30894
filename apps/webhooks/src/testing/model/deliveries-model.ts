import { newId } from '@fundrail/contracts';
import type { AttemptAnswer } from '../../delivery/delivery.ts';
import type { DeliveryRow } from '../../delivery/delivery.table.ts';
import { FIRST_SECRET } from '../delivery-tables.ts';
import type { DeliveriesStage } from './deliveries-stage.ts';
import type { Answering } from './deliveries-steps.ts';
import type { HeldPost } from './held-sender.ts';

const HOUR = 3_600_000;

/** The expected state of an endpoint, from its clients' requests and its own responses. Times are in milliseconds of the clock. */
export class Endpoint {
  how: Answering = 'well';
  enabled = true;
  isRemoved = false;
  failingSince: number | null = null;
  pausedUntil = 0;
  secrets: { readonly secret: string; until: number }[] = [{ secret: FIRST_SECRET, until: Infinity }];
  /** Events that were published while it was enabled: each has a delivery. */
  readonly received = new Set<string>();
  /** Those of them since it was last enabled. */
  readonly owed = new Set<string>();
  /** Events to which it has responded with 2xx. */
  readonly accepted = new Set<string>();
  private version = 0;

  constructor(
    readonly id: string,
    readonly number: number,
  ) {}

  get url(): string {
    return urlOf(this.number, this.version);
  }

  /** A new URL clears its failures and its pause. */
  move(): string {
    this.version += 1;
    [this.failingSince, this.pausedUntil] = [null, 0];
    return this.url;
  }

  /** Its pending deliveries are given up. */
  end(): void {
    this.enabled = false;
    this.owed.clear();
  }

  secretsAt(now: number): string[] {
    return this.secrets.filter(({ until }) => until > now).map(({ secret }) => secret);
  }
}

/** The host is never resolved. */
function urlOf(number: number, version: number): string {
  return `http://127.0.0.1:9/${number}/${version}`;
}

export interface PublishedEvent {
  readonly id: string;
  readonly object: string;
  readonly sequence: number;
  readonly at: number;
}

interface ModelReplay {
  readonly endpoint: Endpoint;
  readonly matched: ReadonlySet<string>;
  isCancelled: boolean;
}

/** The complete expected state. */
export class Model {
  /** Includes deleted endpoints. */
  readonly endpoints: Endpoint[] = [];
  readonly events = new Map<string, PublishedEvent>();
  readonly replays = new Map<string, ModelReplay>();
  /** For each delivery, the failed attempts that count in the retry table. */
  readonly failures = new Map<string, number>();
  /** Manually retried deliveries, which are outside the order. */
  readonly byHand = new Set<string>();
  /** Deliveries with a 2xx response and no manual retry since. */
  readonly delivered = new Set<string>();
  /** POSTs without a response so far. */
  open: HeldPost[] = [];
  answered = 0;
  private readonly sequences = new Map<string, number>();

  constructor(readonly stage: DeliveriesStage) {}

  get now(): number {
    return this.stage.clock.now().getTime();
  }

  /** One of the endpoints that are not deleted. */
  one(index: number): Endpoint {
    const live = this.endpoints.filter(({ isRemoved }) => !isRemoved);
    const endpoint = live[index % live.length];
    if (!endpoint) throw new Error('no endpoint exists');
    return endpoint;
  }

  /** Finds an endpoint by the URL of a POST, which may be an earlier URL. */
  endpointAt(url: string): Endpoint {
    const endpoint = this.endpoints[Number(new URL(url).pathname.split('/')[1])];
    if (!endpoint) throw new Error(`no endpoint has the URL ${url}`);
    return endpoint;
  }

  endpointOf({ webhook }: Pick<DeliveryRow, 'webhook'>): Endpoint {
    const endpoint = this.endpoints.find(({ id }) => id === webhook);
    if (!endpoint) throw new Error(`${webhook} is not an endpoint`);
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

  /** The running replays at this moment: a replay ends automatically. */
  async runningReplays(): Promise<string[]> {
    if (this.replays.size === 0) return [];
    return (await this.stage.replays()).filter(({ status }) => status === 'running').map(({ id }) => id);
  }

  runningReplay(endpoint: Endpoint, running: readonly string[]): string | null {
    return running.find((id) => this.replays.get(id)?.endpoint === endpoint) ?? null;
  }

  /** A disabled or deleted endpoint has no pending deliveries and no replay. */
  end(endpoint: Endpoint, running: readonly string[]): void {
    endpoint.end();
    for (const id of running) {
      const replay = this.replays.get(id);
      if (replay?.endpoint === endpoint) replay.isCancelled = true;
    }
  }
}

/** Any delivery, and for every second number a pending one if there is one, because most have ended. */
export function oneDelivery(rows: readonly DeliveryRow[], which: number): DeliveryRow | undefined {
  const pending = rows.filter(({ status }) => status === 'pending');
  const among = which % 2 === 0 && pending.length > 0 ? pending : rows;
  return among[which % Math.max(among.length, 1)];
}

const PLAIN = { webhook_timestamp: null, duration_ms: 1, error: null, response_body: '' };

/** The response of an endpoint with that behaviour to an event. A new object each time: the stage identifies the response by it. */
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
