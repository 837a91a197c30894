import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { Mandates } from '../outside/mandates-client.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import { ChangeDebit } from './change-debit.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { isLive, mandateEnded, thenOf } from './debit.ts';
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
 * `debit.notify`: due when the debit is stored and whenever its order changes. Once the order is submitted, the investor is told of amount and date:
 * intent, permit, call, outcome with its proof. One call at a time, over all replicas: not every provider knows the same call
 * again. Without an answer it is made again under the same name, for a day.
 */
@Injectable()
@HandlesDue('debit.notify')
export class NotifyDebit implements DueHandler {
  readonly kind = 'debit.notify';

  constructor(
    private readonly change: ChangeDebit,
    private readonly calls: DebitCalls,
    private readonly mandates: Mandates,
    private readonly config: PaymentsConfig,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const { debits } = this.config;
    const call = { isUnderWay: false };
    const begun = await this.change.execute({ tenant, id: Number(key) }, async (payment, debit, tx) => {
      const begin = beginDebit(payment, debit, await orderStates(tx, payment), debits, tx.now);
      if (!wantsNotice(begin.outcome.payment, begin.debit)) return begin;
      call.isUnderWay = noticeCalledUntil(begin.debit, tx.now) !== null;
      return call.isUnderWay
        ? begin
        : thenOf(begin.outcome, (row) => callNotice(row, begin.debit, debits, tx.now));
    });
    // On the schedule of contract §2: a time of its own would begin that anew, and a call that fails would be made every minute.
    if (call.isUnderWay) return 'later';
    if (!begun) return 'done';
    if (!wantsNotice(begun.payment, begun.debit)) return this.waiting(begun);
    await passFaultPoint('payments.notice_begun');
    return this.send(begun);
  }

  /**
   * The end of its mandate ends a debit that waits (`mandate.consumer`). One that was stored only after that was told is found
   * here, because this is due when it is stored.
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
      if (answer.kind === 'yes') return noticeOut(row, known, answer.value, this.config.debits, now);
      return noticeRefused(row, known, answer.kind === 'no' ? answer.failure_code : answer.code, now);
    });
    await passFaultPoint('payments.notified');
    return after && wantsNotice(after.payment, after.debit) ? 'later' : 'done';
  }

  /** Who does not know the mandate any more tells it by its status; while that says otherwise, nothing is known. */
  private async answered({ payment, debit }: PaymentWithDebit) {
    const answer = await this.calls.notify(payment, debit);
    if (answer.kind !== 'not_found') return answer;
    return (await this.calls.isMandateGone(payment, debit)) ? GONE : UNANSWERED;
  }
}
