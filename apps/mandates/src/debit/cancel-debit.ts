import type { CancelledDebit } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { canApply, mandateDebitMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { AskDebit } from './ask-debit.ts';
import { ChangeDebits } from './change-debits.ts';
import { findDebit, type DebitKey } from './debit.repository.ts';
import { ended, openAttempt, unchanged } from './debit.ts';

/** Cancels a debit for the client. The status of an open attempt is queried first: money that it took counts. */
@Injectable()
export class CancelDebit {
  constructor(
    private readonly change: ChangeDebits,
    private readonly ask: AskDebit,
    private readonly database: Database,
  ) {}

  /** `cancelled` also when it was cancelled before, or does not exist here: then nothing debits the investor. */
  async execute(key: DebitKey): Promise<CancelledDebit['outcome']> {
    const found = await findDebit(this.database, key);
    const open = found && openAttempt(found.debit);
    if (found && open) await this.ask.ask(found, open);
    const after = await this.change.execute({
      key,
      decide: ({ debit }, now) =>
        canApply(mandateDebitMachine, debit.state, 'cancel')
          ? ended(debit, 'cancel', { failure_code: 'user_cancelled' }, now)
          : unchanged(debit),
    });
    await passFaultPoint('mandates.debit.cancelled');
    if (after?.debit.state === 'attempting') return 'open';
    return after === null || after.debit.state === 'cancelled' ? 'cancelled' : 'ended';
  }
}
