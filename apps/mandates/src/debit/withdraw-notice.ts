import { Log } from '@fundrail/service-kit';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { ChangeDebits } from './change-debits.ts';
import { DebitCalls } from './debit-calls.ts';
import { findDebit } from './debit.repository.ts';
import { withdrawal, type DebitOfMandate } from './debit.ts';
import { noticeCalledUntil, noticeWithdrawn } from './notice.ts';

/**
 * `debit.withdraw`: withdraws a notice when the debit has ended and the provider never received an attempt, or when another notice
 * has replaced it.
 */
@Injectable()
@HandlesDue('debit.withdraw')
export class WithdrawNotice {
  constructor(
    private readonly calls: DebitCalls,
    private readonly change: ChangeDebits,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async handle({ tenant, key, due_at }: DueWork): Promise<DueResult> {
    const [id, replaced] = key.split(' ');
    const found = await findDebit(this.database, { tenant, payment_id: Number(id) });
    if (found && replaced !== undefined) return this.replaced(found, Number(replaced));
    if (!found || withdrawal(found.debit, due_at).length === 0) return 'done';
    // A notice without an answer is withdrawn by our own reference, once no call for it is under way.
    const until = noticeCalledUntil(found.debit, await this.database.now());
    if (until) return { again: until };
    if (!(await this.withdrawn(found))) return 'later';
    await this.change.execute({ key: found.debit, decide: ({ debit }, now) => noticeWithdrawn(debit, now) });
    return 'done';
  }

  /** Withdraws a notice that another one has replaced, by our own reference. */
  private async replaced({ debit, mandate }: DebitOfMandate, notice_number: number): Promise<DueResult> {
    const notice = { ...debit, notice_number, notice_reference: null };
    return (await this.withdrawn({ debit: notice, mandate })) ? 'done' : 'later';
  }

  /** Whether the provider has answered. */
  private async withdrawn(both: DebitOfMandate): Promise<boolean> {
    const answer = await this.calls.withdraw(both);
    if (answer.kind === 'unknown') return false;
    const { tenant, payment_id } = both.debit;
    if (answer.kind === 'no')
      this.log.warn('the notice was not withdrawn', { tenant, payment_id, why: answer.failure_code });
    return true;
  }
}
