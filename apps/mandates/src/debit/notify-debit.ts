import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Tenants } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { ChangeDebits } from './change-debits.ts';
import { DebitCalls } from './debit-calls.ts';
import { unchanged, type DebitOfMandate, type Permission } from './debit.ts';
import { callNotice, noticeCalledUntil, noticeOut, noticeRefused, noticeUnanswered } from './notice.ts';

const UNANSWERED = { kind: 'unknown' } as const;

/**
 * `debit.notify`: the investor is notified of amount and date: intent, call, outcome with its proof. Only one call at a time over all
 * replicas, because not every provider recognises a repeated call. Without an answer it is repeated under the same reference, for a day.
 */
@Injectable()
@HandlesDue('debit.notify')
export class NotifyDebit {
  constructor(
    private readonly change: ChangeDebits,
    private readonly calls: DebitCalls,
    private readonly tenants: Tenants,
    private readonly config: MandatesConfig,
  ) {}

  /** Throws 503 when identity does not answer: a notice without the merchant's name is none (DEB-8). */
  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const { operator_name } = await this.tenants.recentSettings(tenant);
    const found: { permission: Permission | null } = { permission: null };
    const started = await this.change.execute({
      key: { tenant, payment_id: Number(key) },
      decide: (both, now) => {
        found.permission = null;
        if (both.debit.state !== 'notifying') return unchanged(both.debit);
        found.permission = 'later';
        if (noticeCalledUntil(both.debit, now) !== null) return unchanged(both.debit);
        const { outcome, permission } = callNotice(both, operator_name, {
          rules: this.config.debits(now),
          now,
        });
        found.permission = permission;
        return outcome;
      },
    });
    // `later` keeps the schedule of GATE-3. A fixed time would restart it, and a failing call would be repeated every minute.
    if (found.permission === 'later') return 'later';
    if (!started || found.permission !== 'granted') return 'done';
    await passFaultPoint('mandates.notice_begun');
    return this.send(started);
  }

  private async send(both: DebitOfMandate): Promise<DueResult> {
    const answer = await this.answered(both);
    await passFaultPoint('mandates.notice_answered');
    const after = await this.change.execute({
      key: both.debit,
      decide: (row, now) => {
        if (answer.kind === 'unknown') return noticeUnanswered(row.debit, now);
        if (answer.kind === 'yes')
          return noticeOut(row, answer.value, { rules: this.config.debits(now), now });
        return noticeRefused(row.debit, answer.failure_code, now);
      },
    });
    await passFaultPoint('mandates.notified');
    return after?.debit.state === 'notifying' ? 'later' : 'done';
  }

  /** When the provider does not know the mandate, the status of the mandate decides. Any other status means no answer. */
  private async answered(both: DebitOfMandate) {
    const answer = await this.calls.notify(both);
    if (answer.kind !== 'not_found') return answer;
    const isGone = await this.calls.isMandateGone(both);
    return isGone ? ({ kind: 'no', failure_code: 'mandate_cancelled' } as const) : UNANSWERED;
  }
}
