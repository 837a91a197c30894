import { Database } from '@fundrail/service-kit/db';
import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { attemptNotReceived } from './attempt.ts';
import { ChangeDebits } from './change-debits.ts';
import { isUnderWay, openAttempt, type DebitOfMandate } from './debit.ts';
import type { AttemptRow } from './debit.table.ts';
import { SendAttempt } from './send-attempt.ts';
import { SendingPace } from './sending/sending-pace.ts';

/** The pause before an attempt is tried again when the provider's pace had no place. */
const NO_PLACE_MS = 5_000;

/** Sends an open attempt again that the provider does not have, or ends it. */
@Injectable()
export class ResendAttempt {
  constructor(
    private readonly change: ChangeDebits,
    private readonly send: SendAttempt,
    private readonly pace: SendingPace,
    private readonly database: Database,
    private readonly config: MandatesConfig,
  ) {}

  /**
   * The attempt never arrived: it is sent again in a window, if it is still allowed. Only one call at a time over all replicas, because
   * not every provider recognises a repeated call.
   */
  async execute({ mandate }: DebitOfMandate, attempt: AttemptRow): Promise<DueResult> {
    const now = await this.database.now();
    if (isUnderWay(attempt, now)) return 'later';
    // Before the intent, which keeps every other call away for a minute.
    if (!(await this.pace.turn(mandate.provider_name)))
      return { again: new Date(now.getTime() + NO_PLACE_MS) };
    const wanted: { at: Date | null } = { at: null };
    const after = await this.change.execute({
      key: attempt,
      decide: (both, at) => {
        const decided = attemptNotReceived(both, attempt, { rules: this.config.debits, now: at });
        wanted.at = decided.at;
        return decided.outcome;
      },
    });
    const called = after && openAttempt(after.debit);
    if (!after || !called || wanted.at === null) return 'later';
    if (!isUnderWay(called, now)) return { again: wanted.at };
    await this.send.execute(after, called);
    return 'later';
  }
}
