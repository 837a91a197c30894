import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import { ChangeDebit } from './change-debit.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { beginDebit, noticeOut, noticeRefused, wantsNotice } from './notice.ts';

/**
 * `debit.notify`: due whenever the debit's order changes. Once the order is submitted, the investor is told of amount and date:
 * intent, permit, call, outcome with its proof. Without an answer it is asked for again with the same reference, which tells
 * the investor once.
 */
@Injectable()
@HandlesDue('debit.notify')
export class NotifyDebit implements DueHandler {
  readonly kind = 'debit.notify';

  constructor(
    private readonly change: ChangeDebit,
    private readonly calls: DebitCalls,
    private readonly config: PaymentsConfig,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const begun = await this.change.execute({ tenant, id: Number(key) }, async (payment, debit, tx) =>
      beginDebit(payment, debit, await orderStates(tx, payment), this.config.debits, tx.now),
    );
    if (!begun || !wantsNotice(begun.payment, begun.debit)) return 'done';
    await passFaultPoint('payments.notice_begun');
    return this.send(begun);
  }

  private async send({ payment, debit }: PaymentWithDebit): Promise<DueResult> {
    const answer = await this.calls.notify(payment, debit);
    await passFaultPoint('payments.notice_answered');
    if (answer.kind === 'unknown' || answer.kind === 'not_found') return 'later';
    await this.change.execute(payment, (row, known, { now }) => {
      if (answer.kind === 'yes') return noticeOut(row, known, answer.value, this.config.debits, now);
      return noticeRefused(row, known, answer.kind === 'no' ? answer.failure_code : answer.code, now);
    });
    await passFaultPoint('payments.notified');
    return 'done';
  }
}
