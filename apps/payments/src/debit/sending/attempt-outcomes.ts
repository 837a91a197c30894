import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderPaymentStatus } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { Mandates } from '../../outside/mandates-client.ts';
import { attemptForbidden } from '../attempt.ts';
import { attemptSaid } from '../attempt-said.ts';
import type { BegunAttempt } from './send-batch.ts';
import { ChangeDebits } from './change-debits.ts';
import type { DebitChange } from './change-debits.ts';
import { attemptUncalled, putOffAttempt } from './put-off.ts';

/** What is said of an attempt that was begun with others, recorded with others (decision 0006). */
@Injectable()
export class AttemptOutcomes {
  constructor(
    private readonly change: ChangeDebits,
    private readonly mandates: Mandates,
    private readonly config: PaymentsConfig,
  ) {}

  /** The answer to its call. */
  async said(
    begun: BegunAttempt,
    said: Exclude<ProviderPaymentStatus, { status: 'captured' }>,
  ): Promise<void> {
    const about = { reference: begun.attempt.reference, said };
    await this.record(begun, (payment, debit, states, now) =>
      attemptSaid(payment, debit, about, states, this.config.debits, now),
    );
  }

  /** Mandates gave no permit. */
  async forbidden(begun: BegunAttempt, code: PaymentFailureCode): Promise<void> {
    await this.record(begun, (payment, debit, _, now) =>
      attemptForbidden(payment, debit, begun.attempt, code, 'forbidden', now),
    );
  }

  /** No call is made for it: `debit.status` puts it off, once its permit is closed. */
  async uncalled(begun: BegunAttempt): Promise<void> {
    await this.record(begun, (payment, debit, _, now) => attemptUncalled(payment, debit, begun.attempt, now));
  }

  /**
   * Nothing was done under its permit. That is closed first, by itself: closed later it could be the one of the next call. When
   * it cannot be closed the attempt stays open, and is sent again as one that never arrived.
   */
  async putOff(begun: BegunAttempt, from: Date): Promise<void> {
    const { tenant, id: payment_id } = begun.payment;
    await this.mandates.closePermit({ tenant, payment_id, step: 'execute', attempt: begun.attempt.number });
    await this.record(begun, (payment, debit, states, now) =>
      putOffAttempt(payment, debit, begun.attempt, states, this.config.debits, { from, now }),
    );
  }

  private async record({ payment, traceparent }: BegunAttempt, decide: DebitChange['decide']): Promise<void> {
    const { tenant, id } = payment;
    await this.change.execute({ key: { tenant, id }, decide, traceparent });
  }
}
