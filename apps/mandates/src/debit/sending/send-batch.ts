import { GroupedCalls, runInTrace } from '@fundrail/messaging';
import type { ProviderDebit } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { leaveDue, type LeasedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../../config.ts';
import { passFaultPoint } from '../../fault-points.ts';
import { beginAttempt, executableAt } from '../attempt.ts';
import { ChangeDebits, type DebitChange } from '../change-debits.ts';
import { DebitCalls } from '../debit-calls.ts';
import { openAttempt, type DebitOfMandate } from '../debit.ts';
import { mayBeCalled, type DebitKey } from '../debit.repository.ts';
import type { AttemptRow } from '../debit.table.ts';
import { SendAttempt } from '../send-attempt.ts';
import type { Places } from './sending-pace.ts';

/** How long a debit waits whose contacts identity did not return. */
const NO_CONTACT_MS = 30_000;
/** In one read. A provider has at most 60 calls under way: three batches of 20 (`SendingPace`). */
const MOST_CHECKED = 64;
/** So that a read that hangs on its connection delays no check but its own. */
const CHECKS_AT_ONCE = 3;

/** An attempt with a committed intent. */
interface StartedAttempt extends DebitOfMandate {
  readonly attempt: AttemptRow;
  readonly traceparent: string | null;
}

/**
 * Executes debits that are due together: their intents in one commit, then for each a call at its place and its outcome. A crash in
 * between leaves attempts open, which `debit.status` queries. An attempt whose call cannot be made now is postponed.
 */
@Injectable()
export class SendBatch {
  /** One read for all debits whose places have come together. */
  private readonly checks = new GroupedCalls(
    (keys: readonly DebitKey[]) => mayBeCalled(this.database, keys),
    MOST_CHECKED,
    CHECKS_AT_ONCE,
  );

  constructor(
    private readonly change: ChangeDebits,
    private readonly calls: DebitCalls,
    private readonly attempts: SendAttempt,
    private readonly database: Database,
    private readonly config: MandatesConfig,
    private readonly log: Log,
  ) {}

  async execute(works: readonly LeasedDue[], places: Places): Promise<void> {
    const started = await this.start(works);
    if (started.length === 0) return;
    await passFaultPoint('mandates.attempt_begun');
    await Promise.all(started.map((one) => this.guarded(one, () => this.send(one, places))));
  }

  private async start(works: readonly LeasedDue[]): Promise<StartedAttempt[]> {
    const started = new Set<string>();
    const changes = works.map((work): DebitChange => ({
      key: { tenant: work.tenant, payment_id: Number(work.key) },
      ends: work,
      traceparent: work.traceparent,
      decide: (both, now) => {
        const outcome = beginAttempt(both, { rules: this.config.debits(now), now });
        if (outcome.debit.state === 'attempting' && outcome.debit !== both.debit) started.add(work.key);
        else started.delete(work.key);
        return outcome;
      },
    }));
    const failed: { readonly key: string; readonly error: Error }[] = [];
    const after = await this.change.together(changes, ({ key }, error) =>
      failed.push({ key: String(key.payment_id), error }),
    );
    for (const { key, error } of failed)
      await this.leave(
        works.find((work) => work.key === key),
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

  private async send(one: StartedAttempt, places: Places): Promise<void> {
    const { attempt, traceparent } = one;
    // Nothing but reads by key is awaited between the place and the call, which would come late: the offset of business time is read
    // meanwhile.
    const [request, isOpen] = await Promise.all([this.request(one), places.next(), this.database.now()]);
    const now = this.database.lastNow();
    const at = executableAt(one, this.config.debits(now), now);
    const isPutOff = !request || !isOpen || at === null || at > now;
    // Stopped while it waited for its place, such as by a refusal of the investor: then putting it off ends it.
    if (isPutOff || !(await this.checks.call(attempt)))
      return this.attempts.putOff(attempt, request ? 0 : NO_CONTACT_MS, traceparent);
    return this.attempts.execute(one, attempt, { request, traceparent });
  }

  /** Null when identity does not answer: then no call is made. */
  private async request({ attempt, ...both }: StartedAttempt): Promise<ProviderDebit | null> {
    try {
      return await this.calls.request(both, attempt.number);
    } catch (error) {
      const { tenant, payment_id } = both.debit;
      this.log.error('a debit could not be sent', error, { tenant, payment_id });
      return null;
    }
  }

  /** Runs in the trace of the work that planned the debit. A failure affects only this debit: an open attempt is queried later. */
  private async guarded(one: StartedAttempt, work: () => Promise<void>): Promise<void> {
    try {
      await (one.traceparent === null ? work() : runInTrace(one.traceparent, work));
    } catch (error) {
      const { tenant, payment_id } = one.debit;
      this.log.error('sending a debit failed', error, { tenant, payment_id });
    }
  }
}
