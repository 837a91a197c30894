import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import { beginAttempt } from './attempt.ts';
import { ChangeDebit } from './change-debit.ts';
import { openAttempt } from './debit.ts';
import type { AttemptRow } from './debit.ts';
import { SendAttempt } from './send-attempt.ts';

/**
 * `debit.execute`: the time of the next attempt has come. Intent, permit, call, outcome. From the intent on the attempt is
 * followed by `debit.status`, which also sends it again when it never arrived.
 */
@Injectable()
@HandlesDue('debit.execute')
export class ExecuteDebit implements DueHandler {
  readonly kind = 'debit.execute';

  constructor(
    private readonly change: ChangeDebit,
    private readonly send: SendAttempt,
    private readonly config: PaymentsConfig,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const begun: { attempt: AttemptRow | null } = { attempt: null };
    const found = await this.change.execute({ tenant, id: Number(key) }, async (payment, debit, tx) => {
      const decided = beginAttempt(
        payment,
        debit,
        await orderStates(tx, payment),
        this.config.debits,
        tx.now,
      );
      begun.attempt = decided.debit === debit ? null : openAttempt(decided.debit);
      return decided;
    });
    if (!found || !begun.attempt) return 'done';
    await passFaultPoint('payments.attempt_begun');
    await this.send.execute(found, begun.attempt);
    return 'done';
  }
}
