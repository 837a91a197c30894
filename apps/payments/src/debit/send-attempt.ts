import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptForbidden, attemptUnheard } from './attempt.ts';
import { ChangeDebit } from './change-debit.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { attemptSaid, openAttempt } from './debit.ts';
import type { AttemptRow, SaidOfAttempt } from './debit.ts';

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
          attemptForbidden(row, known, attempt, answer.code, now),
        );
        break;
      case 'unknown':
      case 'not_found':
        return 'later';
      default:
        return answer satisfies never;
    }
    await passFaultPoint('payments.attempt_applied');
    return 'done';
  }

  /** The provider never heard of it. Answers payment and debit when it is to be sent again, or null: it is over. */
  async unheard(
    payment: Pick<Payment, 'tenant' | 'id'>,
    attempt: AttemptRow,
  ): Promise<PaymentWithDebit | null> {
    const after = await this.change.execute(payment, async (row, debit, tx) =>
      attemptUnheard(row, debit, attempt, await orderStates(tx, row), this.config.debits, tx.now),
    );
    return after && openAttempt(after.debit) ? after : null;
  }

  /** Answers payment and debit as they are then, or null when there is no such debit. */
  said(payment: Pick<Payment, 'tenant' | 'id'>, said: SaidOfAttempt): Promise<PaymentWithDebit | null> {
    return this.change.execute(payment, async (row, debit, tx) =>
      attemptSaid(row, debit, said, await orderStates(tx, row), this.config.debits, tx.now),
    );
  }
}
