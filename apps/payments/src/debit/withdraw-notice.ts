import { Log } from '@fundrail/service-kit';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { AskDebit } from './ask-debit.ts';
import { ChangeDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { withdrawal } from './debit.ts';
import { noticeWithdrawn } from './notice.ts';

/** `debit.withdraw`: the debit is over before anything was tried on its notice, so the notice is taken back. */
@Injectable()
@HandlesDue('debit.withdraw')
export class WithdrawNotice implements DueHandler {
  readonly kind = 'debit.withdraw';

  constructor(
    private readonly ask: AskDebit,
    private readonly calls: DebitCalls,
    private readonly change: ChangeDebit,
    private readonly log: Log,
  ) {}

  async handle({ tenant, key, due_at }: DueWork): Promise<DueResult> {
    const found = await this.ask.find(tenant, Number(key));
    // A notice without an answer has no name yet; when the answer comes, this is due again.
    if (!found?.debit.notified_at) return 'done';
    const { payment, debit } = found;
    if (withdrawal(payment, debit, due_at).length === 0) return 'done';
    const answer = await this.calls.withdraw(payment, debit);
    if (answer.kind === 'unknown') return 'later';
    if (answer.kind === 'no')
      this.log.warn('the notice was not taken back', {
        tenant,
        payment_id: payment.id,
        why: answer.failure_code,
      });
    await this.change.execute(payment, (row, known, { now }) => noticeWithdrawn(row, known, now));
    return 'done';
  }
}
