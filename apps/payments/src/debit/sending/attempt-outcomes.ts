import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { Mandates } from '../../outside/mandates-client.ts';
import { attemptForbidden } from '../attempt.ts';
import type { PaymentWithDebit } from '../change-debit.ts';
import type { AttemptRow } from '../debit.tables.ts';
import { applyAttemptReport } from '../attempt-report.ts';
import { ChangeDebits, type DebitChange } from './change-debits.ts';
import { attemptUncalled, putOffAttempt } from './put-off.ts';

/** An attempt with a committed intent. */
export interface StartedAttempt extends PaymentWithDebit {
  readonly attempt: AttemptRow;
  readonly traceparent: string | null;
}

/** Stores the outcomes of attempts of a batch, several in one transaction (decision 0006). */
@Injectable()
export class AttemptOutcomes {
  constructor(
    private readonly change: ChangeDebits,
    private readonly mandates: Mandates,
    private readonly config: PaymentsConfig,
  ) {}

  /** The answer to its call. */
  async apply(
    started: StartedAttempt,
    status: Exclude<ProviderPaymentStatus, { status: 'captured' }>,
  ): Promise<void> {
    const report = { reference: started.attempt.reference, status };
    await this.record(started, (payment, debit, states, now) =>
      applyAttemptReport(payment, debit, report, { states, rules: this.config.debits, now }),
    );
  }

  /** Mandates refused the permit. */
  async forbidden(started: StartedAttempt, code: PaymentFailureCode): Promise<void> {
    await this.record(started, (payment, debit, _, now) =>
      attemptForbidden({ payment, debit }, started.attempt, { code, never: 'forbidden' }, now),
    );
  }

  /** No call is made for it. `debit.status` postpones it once its permit is closed. */
  async uncalled(started: StartedAttempt): Promise<void> {
    await this.record(started, (payment, debit, _, now) =>
      attemptUncalled(payment, debit, started.attempt, now),
    );
  }

  /**
   * Nothing was done under its permit. The permit is closed first: closed later, it could be the permit of the next call. When it cannot
   * be closed, the attempt stays open, and is sent again as one that never arrived.
   */
  async putOff(started: StartedAttempt, from: Date): Promise<void> {
    const { tenant, id: payment_id } = started.payment;
    await this.mandates.closePermit({ tenant, payment_id, step: 'execute', attempt: started.attempt.number });
    await this.record(started, (payment, debit, states, now) =>
      putOffAttempt(payment, debit, started.attempt, {
        states,
        rules: this.config.debits,
        from,
        now,
      }),
    );
  }

  private async record(
    { payment, traceparent }: StartedAttempt,
    decide: DebitChange['decide'],
  ): Promise<void> {
    const { tenant, id } = payment;
    await this.change.execute({ key: { tenant, id }, decide, traceparent });
  }
}
