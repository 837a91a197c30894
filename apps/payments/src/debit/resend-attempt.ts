import { Database } from '@fundrail/service-kit/db';
import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptUnheard, callAgain, executableAt } from './attempt.ts';
import { ChangeDebit } from './change-debit.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import { isUnderWay, openAttempt } from './debit.ts';
import type { AttemptRow } from './debit.ts';
import { SendAttempt } from './send-attempt.ts';
import { AttemptOutcomes } from './sending/attempt-outcomes.ts';
import { SendingPace } from './sending/sending-pace.ts';

/** When an attempt comes again for which the provider's pace had no place. */
const NO_PLACE_MS = 5_000;
/** When a debit whose call was not permitted is begun anew: after as long again as it has been due, between these. */
const LEAST_PUT_OFF_MS = 30_000;
const LONGEST_PUT_OFF_MS = 300_000;

/** What is done about an open attempt that the provider does not have: it is sent again, or put off. */
@Injectable()
export class ResendAttempt {
  constructor(
    private readonly change: ChangeDebit,
    private readonly send: SendAttempt,
    private readonly outcomes: AttemptOutcomes,
    private readonly pace: SendingPace,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  /**
   * It never arrived: the same attempt, in a window like any other, if it is still wanted. One call at a time, over all
   * replicas: not every provider knows the same call again.
   */
  async execute({ payment }: PaymentWithDebit, attempt: AttemptRow): Promise<DueResult> {
    const now = await this.database.now();
    if (isUnderWay(attempt, now)) return 'later';
    const wanted = await this.wantedAt(payment, attempt);
    if (!wanted) return 'later';
    if (wanted > now) return { again: wanted };
    if (!(await this.pace.turn(payment.provider_name)))
      return { again: new Date(now.getTime() + NO_PLACE_MS) };
    const called = await this.called(payment, attempt);
    if (called) await this.send.execute(called, attempt, true);
    return 'later';
  }

  /** Its call was not permitted and not made: its permit is closed, and the debit is begun anew. */
  async putOff(found: PaymentWithDebit, attempt: AttemptRow): Promise<DueResult> {
    const from = putOffUntil(found, await this.database.now());
    await this.outcomes.putOff({ ...found, attempt, traceparent: null }, from);
    return 'later';
  }

  /** When it is to be sent again, or null: it is over. */
  private async wantedAt(payment: Pick<Payment, 'tenant' | 'id'>, attempt: AttemptRow): Promise<Date | null> {
    const { debits } = this.config;
    const wanted: { at: Date | null } = { at: null };
    await this.change.execute(payment, async (row, debit, tx) => {
      const decided = attemptUnheard(row, debit, attempt, await orderStates(tx, row), debits, tx.now);
      wanted.at = openAttempt(decided.debit) && executableAt(row, decided.debit, debits, tx.now);
      return decided;
    });
    return wanted.at;
  }

  /** Writes down that it is called again; null when another call is under way. */
  private async called(
    payment: Pick<Payment, 'tenant' | 'id'>,
    attempt: AttemptRow,
  ): Promise<PaymentWithDebit | null> {
    const called = { isMine: false };
    const after = await this.change.execute(payment, (row, debit, { now }) => {
      const decided = callAgain(row, debit, attempt, now);
      called.isMine = decided.debit !== debit;
      return decided;
    });
    return called.isMine ? after : null;
  }
}

/** A mandate may be in doubt for days, and whoever waits on it should not ask every half minute. */
function putOffUntil({ payment, debit }: PaymentWithDebit, now: Date): Date {
  const times = [
    payment.created_at,
    debit.told_execute_at,
    ...debit.attempts.map(({ ended_at }) => ended_at),
  ];
  const dueSince = Math.max(...times.map((at) => at?.getTime() ?? 0));
  const pause = Math.min(Math.max(now.getTime() - dueSince, LEAST_PUT_OFF_MS), LONGEST_PUT_OFF_MS);
  return new Date(now.getTime() + pause);
}
