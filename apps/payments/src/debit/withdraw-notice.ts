import { Log } from '@fundrail/service-kit';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { AskDebit } from './ask-debit.ts';
import { ChangeDebit, type PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { withdrawal } from './debit.ts';
import { noticeCalledUntil, noticeWithdrawn } from './notice.ts';

/**
 * `debit.withdraw`: withdraws a notice when the debit has ended and the provider never received an attempt, or when another notice
 * has replaced it.
 */
@Injectable()
@HandlesDue('debit.withdraw')
export class WithdrawNotice {
  constructor(
    private readonly ask: AskDebit,
    private readonly calls: DebitCalls,
    private readonly change: ChangeDebit,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async handle({ tenant, key, due_at }: DueWork): Promise<DueResult> {
    const [id, replaced] = key.split(' ');
    const found = await this.ask.find(tenant, Number(id));
    if (found && replaced !== undefined) return this.replaced(found, Number(replaced));
    if (!found || withdrawal(found.payment, found.debit, due_at).length === 0) return 'done';
    const { payment, debit } = found;
    // A notice without an answer is withdrawn by our own reference, once no call for it is under way.
    const until = noticeCalledUntil(debit, await this.database.now());
    if (until) return { again: until };
    if (!(await this.withdrawn({ payment, debit }))) return 'later';
    await this.change.execute(payment, (row, known, { now }) => noticeWithdrawn(row, known, now));
    return 'done';
  }

  /** Withdraws a notice that another one has replaced, by our own reference. */
  private async replaced({ payment, debit }: PaymentWithDebit, notice_number: number): Promise<DueResult> {
    const notice = { ...debit, notice_number, notice_reference: null };
    return (await this.withdrawn({ payment, debit: notice })) ? 'done' : 'later';
  }

  /** Whether the provider has answered. */
  private async withdrawn({ payment, debit }: PaymentWithDebit): Promise<boolean> {
    const answer = await this.calls.withdraw(payment, debit);
    if (answer.kind === 'unknown') return false;
    const { tenant, id: payment_id } = payment;
    if (answer.kind === 'no')
      this.log.warn('the notice was not withdrawn', { tenant, payment_id, why: answer.failure_code });
    return true;
  }
}
