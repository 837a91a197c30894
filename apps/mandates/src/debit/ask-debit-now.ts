import { ApiError, type DebitAsked } from '@fundrail/contracts';
import { upiQuestionAllowedFrom } from '@fundrail/policies';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { askNow } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { lockDebits, type DebitKey } from './debit.repository.ts';
import { openAttempt, upiAttemptOf } from './debit.ts';

/** Makes the question about the open attempt of a debit due at once, for an operator. The worker makes the call. */
@Injectable()
export class AskDebitNow {
  constructor(
    private readonly database: Database,
    private readonly config: MandatesConfig,
  ) {}

  /** The time to wait is part of the answer, because a call between services does not pass on an error's Retry-After. */
  async execute(key: DebitKey): Promise<DebitAsked> {
    try {
      const asked = await this.database.transaction((tx) => this.within(tx, key));
      return { asked, retry_after_s: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryAfter === undefined) throw error;
      return { asked: [], retry_after_s: error.retryAfter };
    }
  }

  private async within(tx: Tx, key: DebitKey): Promise<string[]> {
    const { tenant, payment_id } = key;
    const debit = (await lockDebits(tx, [key])).get(payment_id)?.debit;
    if (!debit || !openAttempt(debit)) return [];
    const work = { kind: 'debit.status', key: String(payment_id) };
    const { firstStatusSeconds: firstSeconds } = this.config.debits;
    return askNow(tx, {
      payment: { tenant, id: payment_id },
      works: [work],
      otherwise: work,
      allowedFrom: (early) => {
        const byUpi = upiAttemptOf(debit, { firstSeconds, early });
        return byUpi ? upiQuestionAllowedFrom(byUpi, tx.now) : tx.now;
      },
    });
  }
}
