import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptForbidden, type NeverReceived } from './attempt.ts';
import { applyAttemptReport, type AttemptReport } from './attempt-report.ts';
import { ChangeDebit, type PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import type { AttemptRow } from './debit.tables.ts';

/** Sends an attempt with a stored intent, and applies the reported status. */
@Injectable()
export class SendAttempt {
  constructor(
    private readonly change: ChangeDebit,
    private readonly calls: DebitCalls,
    private readonly config: PaymentsConfig,
  ) {}

  /** `later`: it is not known whether it arrived. `resend`: sent again under the same reference, because the provider did not receive it. */
  async execute(
    { payment, debit }: PaymentWithDebit,
    attempt: AttemptRow,
    resend = false,
  ): Promise<DueResult> {
    const answer = await this.calls.execute(payment, debit, attempt.number, resend);
    await passFaultPoint('payments.attempt_answered');
    switch (answer.kind) {
      case 'yes':
        await this.apply(payment, { reference: attempt.reference, status: { status: 'waiting' } });
        break;
      case 'no': {
        const { failure_code, message } = answer;
        await this.apply(payment, {
          reference: attempt.reference,
          status: { status: 'failed', failure_code, message },
        });
        break;
      }
      case 'forbidden':
        await this.forbid(payment, attempt, { code: answer.code, never: resend ? 'unheard' : 'forbidden' });
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

  /** The provider answers that it does not know the mandate. That may be a mistake, so the status of the mandate decides. */
  private async notFound({ payment, debit }: PaymentWithDebit, attempt: AttemptRow): Promise<DueResult> {
    if (!(await this.calls.isMandateGone(payment, debit))) return 'later';
    await this.forbid(payment, attempt, { code: 'mandate_cancelled', never: 'unheard' });
    return 'done';
  }

  private forbid(payment: Payment, attempt: AttemptRow, why: NeverReceived): Promise<unknown> {
    return this.change.execute(payment, (row, debit, { now }) =>
      attemptForbidden({ payment: row, debit }, attempt, why, now),
    );
  }

  /** Returns payment and debit after the change, or null when there is no such debit. */
  apply(payment: Pick<Payment, 'tenant' | 'id'>, report: AttemptReport): Promise<PaymentWithDebit | null> {
    const { debits: rules } = this.config;
    return this.change.execute(payment, async (row, debit, tx) =>
      applyAttemptReport(row, debit, report, { states: await orderStates(tx, row), rules, now: tx.now }),
    );
  }
}
