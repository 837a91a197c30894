import { istDate } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { ChangeDebits } from './change-debits.ts';
import { emandateExecution } from './debit-policy.ts';
import { plan, unchanged, type DebitOfMandate, type Outcome, type Timing } from './debit.ts';

/** `debit.replan`: plans the first execution of an e-mandate again after a change of the holiday list. */
@Injectable()
@HandlesDue('debit.replan')
export class ReplanDebit {
  constructor(
    private readonly change: ChangeDebits,
    private readonly database: Database,
    private readonly config: MandatesConfig,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    await this.database.transaction(async (tx) => {
      // Not the copy of this replica, which may be a second old.
      const holidays = await holidaysForDeadline(tx);
      const decide = (both: DebitOfMandate, now: Date) =>
        replan(both, { rules: { ...this.config.debits(now), holidays }, now });
      await this.change.within(tx, { key: { tenant, payment_id: Number(key) }, decide });
    });
    return 'done';
  }
}

/**
 * Plans the first execution of an e-mandate for the day that follows from the rules now. On the same day nothing changes, so that a pause
 * that the provider asked for stays. A debit without a plan or with an attempt does not change either.
 */
function replan(both: DebitOfMandate, { rules, now }: Timing): Outcome {
  const { debit, mandate } = both;
  const isPlanned = debit.state === 'planned' && debit.attempts.length === 0;
  if (mandate.mandate_type !== 'E_MANDATE' || !isPlanned) return unchanged(debit);
  const at = emandateExecution(debit, now, rules);
  return istDate(at) === debit.debit_date ? unchanged(debit) : plan(both, at);
}
