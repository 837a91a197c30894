import { PROVIDER_NAMES, type ProviderName } from '@fundrail/contracts';
import { newTraceparent } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { DueLane, giveDueBack, kindsDue, leaseDue, signalOf } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MandateProviders } from '../../outside/mandate-providers.ts';
import { executionKind } from '../debit.ts';
import { SendBatch } from './send-batch.ts';
import { SendingPace } from './sending-pace.ts';

/** Batches of a provider under way at the same time: while one waits for answers, the next one writes its intents. */
const AT_ONCE = 3;
/** After this time a run starts no further batch, so that a process can stop soon. */
const RUN_MS = 2_000;
/** How long before its first place a batch starts: intents come before the call. */
const LEAD_MS = 100;
/** Longer than a batch needs from its lease to its intents; after that the lease is not needed. */
const LEASE_MS = 10_000;
/** The pause after a failed batch. All batches fail while the database gives no answer. */
const PAUSE_MS = 1_000;
const KINDS = PROVIDER_NAMES.map(executionKind);

/**
 * Sends the debits that are due, many concurrently and at the pace of their provider. They delay no other due work, and the debits of one
 * provider do not delay those of another. A debit without its turn stays due, and is planned again when its window is over.
 */
@Injectable()
export class SendDebits extends DueLane {
  readonly name = 'debits';
  override readonly signal = KINDS.map(signalOf);
  private pausedUntil = 0;

  constructor(
    private readonly database: Database,
    private readonly providers: MandateProviders,
    private readonly pace: SendingPace,
    private readonly batch: SendBatch,
    private readonly log: Log,
  ) {
    super();
  }

  /** Its work is in `due_work`, which the due worker reads. */
  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  async run(now: Date): Promise<number> {
    if (performance.now() < this.pausedUntil) return 0;
    const until = performance.now() + RUN_MS;
    const due = await kindsDue(this.database, KINDS, now);
    const lines = PROVIDER_NAMES.filter(
      (name) => due.has(executionKind(name)) && this.providers.of(name) !== null,
    ).flatMap((provider) => Array.from({ length: AT_ONCE }, () => this.sendUntil(provider, until)));
    const results = await Promise.allSettled(lines);
    const failed = results.filter((result) => result.status === 'rejected');
    if (failed.length > 0) this.pausedUntil = performance.now() + PAUSE_MS;
    for (const { reason } of failed) this.log.error('a batch of debits was not sent', reason);
    return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
  }

  private async sendUntil(provider: ProviderName, until: number): Promise<number> {
    let sent = 0;
    for (let last = 1; last > 0 && performance.now() < until; sent += last)
      last = await this.sendOne(provider);
    return sent;
  }

  /** Sends one batch. Returns how many debits had their turn: 0 when none is due, or no place is near. */
  private async sendOne(provider: ProviderName): Promise<number> {
    const [kind, most] = [executionKind(provider), this.pace.batchOf(provider)];
    if (!(await this.pace.isOpen(provider))) return 0;
    const lease = { kind, most, token: randomUUID(), leaseMs: LEASE_MS, now: this.database.lastNow() };
    const works = await leaseDue(this.database, lease);
    if (works.length === 0) return 0;
    const places = await this.pace.reserve(provider, works.length);
    if (!places) {
      await giveDueBack(this.database, works);
      return 0;
    }
    if (places.waitMs > LEAD_MS) await pause(places.waitMs - LEAD_MS);
    const traced = works.map((work) => ({ ...work, traceparent: work.traceparent ?? newTraceparent() }));
    await this.batch.execute(traced, places);
    return works.length;
  }
}
