import type { CancelledDebit } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { canApply, mandateDebitMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { MANDATE_DUE } from '../mandate/mandate.ts';
import { AskDebit } from './ask-debit.ts';
import { ChangeDebits } from './change-debits.ts';
import { findDebit, liveDebitsOf, type DebitKey } from './debit.repository.ts';
import { ended, openAttempt, stopped, unchanged } from './debit.ts';

/** Ends debits when the client cancels them, when their payment has ended or was never created, or when their mandate has ended. */
@Injectable()
export class EndDebit {
  constructor(
    private readonly change: ChangeDebits,
    private readonly ask: AskDebit,
    private readonly database: Database,
  ) {}

  /**
   * For the client. The status of an open attempt is queried first, by UPI as one of the questions of POL-10: money that it took counts. `cancelled` also when it was cancelled
   * before, or does not exist here: then nothing debits the investor.
   */
  async cancel(key: DebitKey): Promise<CancelledDebit['outcome']> {
    const found = await findDebit(this.database, key);
    const open = found && openAttempt(found.debit);
    if (found && open && (await this.ask.mayAskAtOnce(key))) await this.ask.ask(found, open);
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

  /** The payment is void or dead, so another payment may debit its order. Returns whether there was something to release. */
  release(key: DebitKey): Promise<boolean> {
    return this.database.transaction((tx) => this.endIn(tx, key, 'release'));
  }

  /** Its payment has ended without this debit's money, or was refunded. A debit that has already ended so does not change. */
  async afterPayment(tx: Tx, key: DebitKey): Promise<void> {
    await this.endIn(tx, key, 'end');
  }

  /** `mandate.end_debits`: the mandate was cancelled or has expired. Its debits end, or start no further attempt. */
  @HandlesDue(MANDATE_DUE.endDebits)
  async ofMandate({ tenant, key: mandate }: DueWork): Promise<DueResult> {
    for (const key of await liveDebitsOf(this.database, tenant, Number(mandate)))
      await this.change.execute({
        key,
        decide: ({ debit }, now) => stopped(debit, 'mandate_cancelled', now),
      });
    return 'done';
  }

  private async endIn(tx: Tx, key: DebitKey, trigger: 'release' | 'end'): Promise<boolean> {
    const done = { isEnded: false };
    await this.change.within(tx, {
      key,
      decide: ({ debit }, now) => {
        if (!canApply(mandateDebitMachine, debit.state, trigger)) return unchanged(debit);
        done.isEnded = true;
        return ended(debit, trigger, {}, now);
      },
    });
    return done.isEnded;
  }
}
