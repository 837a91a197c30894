import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { Mandates } from '../outside/mandates-client.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import { ChangeDebit, type PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { isLive, mandateEnded, followedBy } from './debit.ts';
import {
  beginDebit,
  callNotice,
  noticeCalledUntil,
  noticeOut,
  noticeRefused,
  noticeUnanswered,
  wantsNotice,
} from './notice.ts';

const GONE = { kind: 'forbidden', code: 'mandate_cancelled' } as const;
const UNANSWERED = { kind: 'unknown' } as const;

/**
 * `debit.notify`: due when the debit is stored and when its order changes. Once the order is submitted, the investor is notified of
 * amount and date: intent, permit, call, outcome with its proof. Only one call at a time over all replicas, because not every provider
 * recognises a repeated call. Without an answer it is repeated under the same reference, for a day.
 */
@Injectable()
@HandlesDue('debit.notify')
export class NotifyDebit {
  constructor(
    private readonly change: ChangeDebit,
    private readonly calls: DebitCalls,
    private readonly mandates: Mandates,
    private readonly config: PaymentsConfig,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const { debits: rules } = this.config;
    const call = { isUnderWay: false };
    const started = await this.change.execute({ tenant, id: Number(key) }, async (payment, debit, tx) => {
      const states = await orderStates(tx, payment);
      const first = beginDebit(payment, debit, { states, rules, now: tx.now });
      if (!wantsNotice(first.outcome.payment, first.debit)) return first;
      call.isUnderWay = noticeCalledUntil(first.debit, tx.now) !== null;
      return call.isUnderWay
        ? first
        : followedBy(first.outcome, (row) => callNotice(row, first.debit, rules, tx.now));
    });
    // `later` keeps the schedule of GATE-3. A fixed time would restart it, and a failing call would be repeated every minute.
    if (call.isUnderWay) return 'later';
    if (!started) return 'done';
    if (!wantsNotice(started.payment, started.debit)) return this.waiting(started);
    await passFaultPoint('payments.notice_begun');
    return this.send(started);
  }

  /**
   * The end of its mandate ends a debit that waits (`mandate.consumer`). A debit that is stored after that event is found here,
   * because this work is due when it is stored.
   */
  private async waiting({ payment, debit }: PaymentWithDebit): Promise<DueResult> {
    if (!isLive(payment) || debit.notified_at !== null || debit.attempts.length > 0) return 'done';
    const mandate = await this.mandates.facts(payment.tenant, debit.mandate_id);
    const status = mandate?.mandate_status;
    if (status === 'CANCELLED' || status === 'EXPIRED')
      await this.change.execute(payment, (row, known, { now }) => mandateEnded(row, known, now));
    return 'done';
  }

  private async send(found: PaymentWithDebit): Promise<DueResult> {
    const { payment } = found;
    const answer = await this.answered(found);
    await passFaultPoint('payments.notice_answered');
    const after = await this.change.execute(payment, (row, known, { now }) => {
      if (answer.kind === 'in_doubt' || answer.kind === 'unknown') return noticeUnanswered(row, known, now);
      if (answer.kind === 'yes')
        return noticeOut(row, known, answer.value, { rules: this.config.debits, now });
      return noticeRefused(row, known, answer.kind === 'no' ? answer.failure_code : answer.code, now);
    });
    await passFaultPoint('payments.notified');
    return after && wantsNotice(after.payment, after.debit) ? 'later' : 'done';
  }

  /** When the provider does not know the mandate, the status of the mandate decides. Any other status means no answer. */
  private async answered({ payment, debit }: PaymentWithDebit) {
    const answer = await this.calls.notify(payment, debit);
    if (answer.kind !== 'not_found') return answer;
    return (await this.calls.isMandateGone(payment, debit)) ? GONE : UNANSWERED;
  }
}
