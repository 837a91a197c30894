import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptForbidden } from './attempt.ts';
import { attemptSaid } from './attempt-said.ts';
import type { SaidOfAttempt } from './attempt-said.ts';
import { ChangeDebit } from './change-debit.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import type { AttemptRow } from './debit.ts';

/** Sends an attempt whose intent is recorded, and applies what is said of it, by whomever. */
@Injectable()
export class SendAttempt {
  constructor(
    private readonly change: ChangeDebit,
    private readonly calls: DebitCalls,
    private readonly config: PaymentsConfig,
  ) {}

  /** `later`: whether it arrived is not known. `resend`: again under the same reference, the provider never heard of it. */
  async execute(
    { payment, debit }: PaymentWithDebit,
    attempt: AttemptRow,
    resend = false,
  ): Promise<DueResult> {
    const answer = await this.calls.execute(payment, debit, attempt.number, resend);
    await passFaultPoint('payments.attempt_answered');
    switch (answer.kind) {
      case 'yes':
        await this.said(payment, { reference: attempt.reference, said: { status: 'waiting' } });
        break;
      case 'no': {
        const { failure_code, message } = answer;
        await this.said(payment, {
          reference: attempt.reference,
          said: { status: 'failed', failure_code, message },
        });
        break;
      }
      case 'forbidden':
        await this.change.execute(payment, (row, known, { now }) =>
          attemptForbidden(row, known, attempt, answer.code, resend ? 'unheard' : 'forbidden', now),
        );
        break;
      case 'not_found':
        return this.notFound({ payment, debit }, attempt);
      case 'in_doubt':
      case 'unknown':
        return 'later';
      default:
        return answer satisfies never;
    }
    await passFaultPoint('payments.attempt_applied');
    return 'done';
  }

  /** The provider knows no such mandate, or says so by mistake: its status decides. */
  private async notFound({ payment, debit }: PaymentWithDebit, attempt: AttemptRow): Promise<DueResult> {
    if (!(await this.calls.isMandateGone(payment, debit))) return 'later';
    await this.change.execute(payment, (row, known, { now }) =>
      attemptForbidden(row, known, attempt, 'mandate_cancelled', 'unheard', now),
    );
    return 'done';
  }

  /** Answers payment and debit as they are then, or null when there is no such debit. */
  said(payment: Pick<Payment, 'tenant' | 'id'>, said: SaidOfAttempt): Promise<PaymentWithDebit | null> {
    return this.change.execute(payment, async (row, debit, tx) =>
      attemptSaid(row, debit, said, await orderStates(tx, row), this.config.debits, tx.now),
    );
  }
}
