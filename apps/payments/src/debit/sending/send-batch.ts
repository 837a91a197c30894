import type { PaymentFailureCode, PermitOfMany } from '@fundrail/contracts';
import { runInTrace } from '@fundrail/messaging';
import { isNotDone, type Answer, type ProviderDebit } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { leaveDue, type LeasedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { passFaultPoint } from '../../fault-points.ts';
import { beginAttempt, executableAt } from '../attempt.ts';
import { DebitCalls } from '../debit-calls.ts';
import { openAttempt } from '../debit.ts';
import { AttemptOutcomes, type StartedAttempt } from './attempt-outcomes.ts';
import { ChangeDebits } from './change-debits.ts';
import type { Places } from './sending-pace.ts';

type Ready = StartedAttempt & { readonly request: ProviderDebit };

/**
 * Executes debits that are due together: their intents in one commit, their permits in one call, then for each a call at its place and its
 * outcome. A crash in between leaves attempts open, which `debit.status` queries. Attempts without a permit for now are postponed.
 */
@Injectable()
export class SendBatch {
  constructor(
    private readonly change: ChangeDebits,
    private readonly calls: DebitCalls,
    private readonly outcomes: AttemptOutcomes,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  async execute(works: readonly LeasedDue[], places: Places): Promise<void> {
    const started = await this.start(works);
    if (started.length === 0) return;
    await passFaultPoint('payments.attempt_begun');
    const permitted = await this.permitted(await this.ready(started));
    await Promise.all(permitted.map((one) => this.guarded(one, () => this.send(one, places))));
  }

  private async start(works: readonly LeasedDue[]): Promise<StartedAttempt[]> {
    const started = new Set<string>();
    const changes = works.map((work) => ({
      key: { tenant: work.tenant, id: Number(work.key) },
      ends: work,
      traceparent: work.traceparent,
      decide: (
        ...[payment, debit, states, now]: Parameters<Parameters<ChangeDebits['execute']>[0]['decide']>
      ) => {
        const decided = beginAttempt(payment, debit, { states, rules: this.config.debits, now });
        if (decided.debit === debit || !openAttempt(decided.debit)) started.delete(work.key);
        else started.add(work.key);
        return decided;
      },
    }));
    const failed: { readonly id: number; readonly error: Error }[] = [];
    const after = await this.change.together(changes, ({ key: { id } }, error) => failed.push({ id, error }));
    for (const { id, error } of failed)
      await this.leave(
        works.find(({ key }) => Number(key) === id),
        error,
      );
    return after.flatMap((found, index) => {
      const work = works[index];
      const attempt = found && work && started.has(work.key) ? openAttempt(found.debit) : null;
      return found && work && attempt ? [{ ...found, attempt, traceparent: work.traceparent }] : [];
    });
  }

  /** A debit that could not be started is retried later, and does not delay the others. */
  private async leave(work: LeasedDue | undefined, error: Error): Promise<void> {
    if (!work) return;
    this.log.error('a debit could not be started', error, { tenant: work.tenant, payment_id: work.key });
    await leaveDue(this.database, work, await this.database.now());
  }

  /** What can fail comes before the permit, so that no permit stays open without its call. */
  private async ready(started: readonly StartedAttempt[]): Promise<Ready[]> {
    const ready = await Promise.all(
      started.map(async (one) => {
        const request = await this.guarded(one, () =>
          this.calls.request(one.payment, one.debit, one.attempt.number),
        );
        if (request) return { ...one, request };
        await this.uncalled([one]);
        return undefined;
      }),
    );
    return ready.filter((one) => one !== undefined);
  }

  /** No call is made for these now. They are postponed soon, so that the day in the notice can still be used. */
  private async uncalled(started: readonly StartedAttempt[]): Promise<void> {
    await Promise.all(started.map((one) => this.guarded(one, () => this.outcomes.uncalled(one))));
  }

  private async permitted(ready: readonly Ready[]): Promise<Ready[]> {
    if (ready.length === 0) return [];
    const results = await this.permitsOf(ready);
    const granted: Ready[] = [];
    await Promise.all(
      ready.map(async (one, index) => {
        const result = results[index];
        if (result?.outcome === 'granted') granted.push(one);
        if (result?.outcome === 'refused')
          await this.guarded(one, () => this.outcomes.forbidden(one, result.code));
        if (result?.outcome === 'later') await this.uncalled([one]);
      }),
    );
    return granted;
  }

  private async permitsOf(ready: readonly Ready[]): Promise<readonly PermitOfMany[]> {
    try {
      return await this.calls.permitAll(ready);
    } catch (error) {
      await this.uncalled(ready);
      throw error;
    }
  }

  private async send(one: Ready, places: Places): Promise<void> {
    const isOpen = await places.next();
    const now = await this.database.now();
    const at = executableAt(one.payment, one.debit, this.config.debits, now);
    if (!isOpen || at === null || at > now) return this.outcomes.putOff(one, now);
    const answer = await this.calls.executePermitted(one.payment, one.request);
    await passFaultPoint('payments.attempt_answered');
    await this.apply(one, answer);
    await passFaultPoint('payments.attempt_applied');
  }

  private async apply(one: StartedAttempt, answer: Answer<null, PaymentFailureCode>): Promise<void> {
    if (isNotDone(answer)) {
      const now = await this.database.now();
      return this.outcomes.putOff(one, new Date(now.getTime() + answer.retry_after_ms));
    }
    if (answer.kind === 'yes') await this.outcomes.apply(one, { status: 'waiting' });
    if (answer.kind === 'no') {
      const { failure_code, message } = answer;
      await this.outcomes.apply(one, { status: 'failed', failure_code, message });
    }
  }

  /** Runs in the trace of the work that planned the debit. A failure affects only this debit: an open attempt is queried later. */
  private async guarded<T>(one: StartedAttempt, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await (one.traceparent === null ? work() : runInTrace(one.traceparent, work));
    } catch (error) {
      const { tenant, id: payment_id } = one.payment;
      this.log.error('sending a debit failed', error, { tenant, payment_id });
      return undefined;
    }
  }
}
