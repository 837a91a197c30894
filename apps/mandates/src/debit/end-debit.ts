import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { canApply, mandateDebitMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { MANDATE_DUE } from '../mandate/mandate.ts';
import { ChangeDebits } from './change-debits.ts';
import { liveDebitsOf, type DebitKey } from './debit.repository.ts';
import { ended, stopped, unchanged } from './debit.ts';

/** Ends debits when their payment has ended or was never created, or when their mandate has ended. */
@Injectable()
export class EndDebit {
  constructor(
    private readonly change: ChangeDebits,
    private readonly database: Database,
  ) {}

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
