import { Database } from '@fundrail/service-kit/db';
import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptNotReceived, callAgain, executableAt } from './attempt.ts';
import { ChangeDebit, type PaymentWithDebit } from './change-debit.ts';
import { isUnderWay, openAttempt } from './debit.ts';
import type { AttemptRow } from './debit.tables.ts';
import { SendAttempt } from './send-attempt.ts';
import { AttemptOutcomes } from './sending/attempt-outcomes.ts';
import { SendingPace } from './sending/sending-pace.ts';

/** The pause before an attempt is tried again when the provider's pace had no place. */
const NO_PLACE_MS = 5_000;
/** The limits of the pause before a debit without a permit is tried again. The pause is as long as the debit has been due. */
const LEAST_PUT_OFF_MS = 30_000;
const LONGEST_PUT_OFF_MS = 300_000;

/** Sends an open attempt again that the provider does not have, or postpones it. */
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
   * The attempt never arrived: it is sent again in a window, if it is still allowed. Only one call at a time over all replicas, because
   * not every provider recognises a repeated call.
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

  /** Its call was not permitted and not made: its permit is closed, and the debit is planned again. */
  async putOff(found: PaymentWithDebit, attempt: AttemptRow): Promise<DueResult> {
    const from = putOffUntil(found, await this.database.now());
    await this.outcomes.putOff({ ...found, attempt, traceparent: null }, from);
    return 'later';
  }

  /** When it is to be sent again, or null when it has ended. */
  private async wantedAt(payment: Pick<Payment, 'tenant' | 'id'>, attempt: AttemptRow): Promise<Date | null> {
    const { debits: rules } = this.config;
    const wanted: { at: Date | null } = { at: null };
    await this.change.execute(payment, async (row, debit, tx) => {
      const states = await orderStates(tx, row);
      const decided = attemptNotReceived(row, debit, attempt, { states, rules, now: tx.now });
      wanted.at = openAttempt(decided.debit) && executableAt(row, decided.debit, rules, tx.now);
      return decided;
    });
    return wanted.at;
  }

  /** Stores the intent of another call; null when a call is under way. */
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

/** A mandate can be in doubt for days, so the pauses get longer. */
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
