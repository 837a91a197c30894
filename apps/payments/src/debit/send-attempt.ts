import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptForbidden } from './attempt.ts';
import { ChangeDebit } from './change-debit.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { attemptSaid } from './debit.ts';
import type { AttemptRow, SaidOfAttempt } from './debit.ts';

/** Sends an attempt whose intent is recorded, and applies what is said of it, by whomever. */
@Injectable()
export class SendAttempt {
  constructor(
    private readonly change: ChangeDebit,
    private readonly calls: DebitCalls,
    private readonly config: PaymentsConfig,
  ) {}

  /** Again under the same reference when it was sent before. `later`: whether it arrived is not known. */
  async execute({ payment, debit }: PaymentWithDebit, attempt: AttemptRow): Promise<DueResult> {
    const answer = await this.calls.execute(payment, debit, attempt.number);
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

  /** Answers payment and debit as they are then, or null when there is no such debit. */
  said(payment: Pick<Payment, 'tenant' | 'id'>, said: SaidOfAttempt): Promise<PaymentWithDebit | null> {
    return this.change.execute(payment, async (row, debit, tx) =>
      attemptSaid(row, debit, said, await orderStates(tx, row), this.config.debits, tx.now),
    );
  }
}
