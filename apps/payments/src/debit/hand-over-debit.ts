import { istTimestamp, PROVIDER_NAMES, type HandedDebit } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { amended, paymentMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { ChangePayment } from '../payment/change-payment.ts';
import { andThen, stepped, unchanged, type Outcome, type Payment } from '../payment/payment.ts';
import { debitsOrderChanged } from './debit.ts';
import { takeOldDebit, type OldAttempt, type OldDebit } from './old-debit.repository.ts';

/**
 * The due work of debits that release 0.1 stored here, and what the migration adds for each of them. Whatever is due first hands the debit
 * over to mandates, which carries it out since this release (decision 0050), in the transaction that deletes the rows. A replica of
 * release 0.1 finds no debit then, and does nothing. The next release drops the tables.
 */
@Injectable()
export class HandOverDebit {
  constructor(
    private readonly database: Database,
    private readonly change: ChangePayment,
  ) {}

  @HandlesDue(
    'debit.hand_over',
    'debit.notify',
    'debit.status',
    'debit.withdraw',
    'debit.replan',
    'debit.close_permit',
    'debit.execute',
    ...PROVIDER_NAMES.map((name) => `debit.execute.${name.toLowerCase()}`),
  )
  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const id = Number(key.split(' ')[0]);
    await this.database.transaction((tx) =>
      this.change.within(tx, { tenant, id }, async (payment, { now }, states) => {
        const [debit, attempts] = await takeOldDebit(tx, payment);
        if (!debit) return unchanged(payment);
        // The work that is due may be the one of the order's last event, which nothing reports again.
        return andThen(handOver(payment, debit, attempts), (handed) =>
          debitsOrderChanged(handed, states, now),
        );
      }),
    );
    return 'done';
  }
}

function handOver(payment: Payment, debit: OldDebit, attempts: readonly OldAttempt[]): Outcome {
  const { id: payment_id, mandate_id } = payment;
  if (mandate_id === null) throw new Error(`payment ${payment_id} debits no mandate`);
  const fact: HandedDebit = {
    payment_id,
    mandate_id,
    mf_investment_account: debit.mf_investment_account,
    debit_date: payment.debit_date,
    execute_at: istTimestamp(debit.execute_at),
    is_planned: debit.planned_at !== null,
    stop_code: stopOf(debit),
    notice: {
      number: debit.notice_number,
      begun_at: istTimestamp(debit.notice_begun_at),
      called_at: istTimestamp(debit.notice_called_at),
      notified_at: istTimestamp(debit.notified_at),
      reference: debit.notice_reference,
      proof: debit.notice_proof,
      execute_at: istTimestamp(debit.told_execute_at),
      failed_at: istTimestamp(debit.notice_failed_at),
      withdrawn_at: istTimestamp(debit.notice_withdrawn_at),
    },
    // Nothing was and will be called under such an intent: mandates plans it again.
    attempts: attempts.filter(({ uncalled }) => !uncalled).map(attemptOf),
  };
  const step = amended(paymentMachine, payment, 'report_debit', { events: ['payment.debit_handed_over'] });
  return stepped({ ...step, fact });
}

function stopOf({ mandate_ended_at, notice_failed_at }: OldDebit): HandedDebit['stop_code'] {
  if (mandate_ended_at !== null) return 'mandate_cancelled';
  return notice_failed_at === null ? null : 'payment_failed';
}

function attemptOf(attempt: OldAttempt): HandedDebit['attempts'][number] {
  const { number, reference, started_at, accepted_at, ended_at } = attempt;
  const state = stateOf(attempt);
  const isLost = state === 'failed' || state === 'unreceived';
  return {
    number,
    reference,
    state,
    started_at: istTimestamp(started_at),
    called_at: istTimestamp(attempt.called_at ?? started_at),
    accepted_at: istTimestamp(accepted_at),
    ended_at: istTimestamp(ended_at),
    failure_code: isLost ? (attempt.failure_code ?? 'payment_failed') : null,
  };
}

function stateOf({ ended_at, accepted_at, failure_code, never }: OldAttempt) {
  if (ended_at === null) return accepted_at === null ? 'begun' : 'accepted';
  if (never !== null) return 'unreceived';
  return failure_code === null ? 'succeeded' : 'failed';
}
