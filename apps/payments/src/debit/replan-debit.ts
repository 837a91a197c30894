import { istDate } from '@fundrail/contracts';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import type { Payment } from '../payment/payment.ts';
import { ChangeDebit } from './change-debit.ts';
import { emandateExecution, type DebitRules } from './debit-policy.ts';
import { isLive, plan, unchangedDebit, type DebitOutcome } from './debit.ts';
import type { Debit } from './debit.tables.ts';

/** `debit.replan`: plans the first execution of an e-mandate again after a change of the holiday list. */
@Injectable()
@HandlesDue('debit.replan')
export class ReplanDebit {
  constructor(
    private readonly change: ChangeDebit,
    private readonly config: PaymentsConfig,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    await this.change.execute({ tenant, id: Number(key) }, async (payment, debit, tx) => {
      // Not the copy of this replica, which may be a second old.
      const holidays = await holidaysForDeadline(tx);
      return replan(payment, debit, { ...this.config.debits, holidays }, tx.now);
    });
    return 'done';
  }
}

/**
 * Plans the first execution of an e-mandate for the day that follows from the rules now. On the same day nothing changes, so that a pause
 * that the provider asked for stays. A debit without a plan or with an attempt does not change either.
 */
function replan(payment: Payment, debit: Debit, rules: DebitRules, now: Date): DebitOutcome {
  const isPlanned = debit.planned_at !== null && debit.attempts.length === 0;
  if (!isLive(payment) || debit.mandate_type !== 'E_MANDATE' || !isPlanned)
    return unchangedDebit(payment, debit);
  const at = emandateExecution(payment.created_at, now, rules);
  return istDate(at) === istDate(debit.execute_at)
    ? unchangedDebit(payment, debit)
    : plan(payment, debit, at, now);
}
