import { istDate } from '@fundrail/contracts';
import type { PaymentFailureCode, PermitOfMany } from '@fundrail/contracts';
import { runInTrace } from '@fundrail/messaging';
import { isNotDone } from '@fundrail/providers';
import type { Answer, ProviderDebit } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { leaveDue } from '@fundrail/service-kit/due';
import type { LeasedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { passFaultPoint } from '../../fault-points.ts';
import { Mandates } from '../../outside/mandates-client.ts';
import { beginAttempt, executableAt } from '../attempt.ts';
import type { PaymentWithDebit } from '../change-debit.ts';
import { DebitCalls } from '../debit-calls.ts';
import { openAttempt } from '../debit.ts';
import type { AttemptRow } from '../debit.ts';
import { ProviderDebits } from '../provider-debits.ts';
import { AttemptOutcomes } from './attempt-outcomes.ts';
import { ChangeDebits } from './change-debits.ts';
import type { Places } from './sending-pace.ts';

/** An attempt whose intent is committed, and what the provider is to be told. */
export interface BegunAttempt extends PaymentWithDebit {
  readonly attempt: AttemptRow;
  readonly traceparent: string | null;
}
type Ready = BegunAttempt & { readonly asked: ProviderDebit };

/**
 * Executes debits that are due together: their intents in one commit, their permits in one call, then each its own call at its
 * own place, and its outcome. What dies between leaves attempts open, which `debit.status` asks about; what cannot be permitted
 * for now it puts off.
 */
@Injectable()
export class SendBatch {
  constructor(
    private readonly change: ChangeDebits,
    private readonly toProvider: ProviderDebits,
    private readonly mandates: Mandates,
    private readonly calls: DebitCalls,
    private readonly outcomes: AttemptOutcomes,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  async execute(works: readonly LeasedDue[], places: Places): Promise<void> {
    const begun = await this.begin(works);
    if (begun.length === 0) return;
    await passFaultPoint('payments.attempt_begun');
    const permitted = await this.permitted(await this.ready(begun));
    await Promise.all(permitted.map((one) => this.guarded(one, () => this.send(one, places))));
  }

  private async begin(works: readonly LeasedDue[]): Promise<BegunAttempt[]> {
    const begun = new Set<string>();
    const changes = works.map((work) => ({
      key: { tenant: work.tenant, id: Number(work.key) },
      ends: work,
      traceparent: work.traceparent,
      decide: (
        ...[payment, debit, states, now]: Parameters<Parameters<ChangeDebits['execute']>[0]['decide']>
      ) => {
        const decided = beginAttempt(payment, debit, states, this.config.debits, now);
        if (decided.debit === debit || !openAttempt(decided.debit)) begun.delete(work.key);
        else begun.add(work.key);
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
      const attempt = found && work && begun.has(work.key) ? openAttempt(found.debit) : null;
      return found && work && attempt ? [{ ...found, attempt, traceparent: work.traceparent }] : [];
    });
  }

  /** One that could not be begun holds up no other, and comes again. */
  private async leave(work: LeasedDue | undefined, error: Error): Promise<void> {
    if (!work) return;
    this.log.error('a debit could not be begun', error, { tenant: work.tenant, payment_id: work.key });
    await leaveDue(this.database, work, await this.database.now());
  }

  /** Whatever may fail comes before the permit, so that none is left open without its call. */
  private async ready(begun: readonly BegunAttempt[]): Promise<Ready[]> {
    const ready = await Promise.all(
      begun.map(async (one) => {
        const asked = await this.guarded(one, () =>
          this.toProvider.of(one.payment, one.debit, one.attempt.number),
        );
        if (asked) return { ...one, asked };
        await this.uncalled([one]);
        return undefined;
      }),
    );
    return ready.filter((one) => one !== undefined);
  }

  /** No call is made for these now: the day that the investor was told is not spent on them. */
  private async uncalled(begun: readonly BegunAttempt[]): Promise<void> {
    await Promise.all(begun.map((one) => this.guarded(one, () => this.outcomes.uncalled(one))));
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
    // The provider never heard of these attempts: a permit that was put off with one is judged anew.
    const asked = ready.map(({ payment: { tenant, id: payment_id }, debit, attempt }) => {
      const { mandate_id, execute_at } = debit;
      const call = { step: 'execute', attempt: attempt.number, resend: true } as const;
      return { tenant, payment_id, mandate_id, execute_on: istDate(execute_at), ...call };
    });
    try {
      return await this.mandates.permitAll(asked);
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
    const answer = await this.calls.executePermitted(one.payment, one.asked);
    await passFaultPoint('payments.attempt_answered');
    await this.apply(one, answer);
    await passFaultPoint('payments.attempt_applied');
  }

  private async apply(one: BegunAttempt, answer: Answer<null, PaymentFailureCode>): Promise<void> {
    if (isNotDone(answer)) {
      const now = await this.database.now();
      return this.outcomes.putOff(one, new Date(now.getTime() + answer.retry_after_ms));
    }
    if (answer.kind === 'yes') await this.outcomes.said(one, { status: 'waiting' });
    if (answer.kind === 'no') {
      const { failure_code, message } = answer;
      await this.outcomes.said(one, { status: 'failed', failure_code, message });
    }
  }

  /** In the trace of what planned the debit. A failure is of this debit alone: what it leaves open is asked about. */
  private async guarded<T>(one: BegunAttempt, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await (one.traceparent === null ? work() : runInTrace(one.traceparent, work));
    } catch (error) {
      const { tenant, id: payment_id } = one.payment;
      this.log.error('a debit was not sent to its end', error, { tenant, payment_id });
      return undefined;
    }
  }
}
