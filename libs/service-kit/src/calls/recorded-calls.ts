import { GroupedCalls } from '@fundrail/messaging';
import { Injectable } from '@nestjs/common';
import { Database } from '../db/database.ts';
import { Log } from '../logging/log.ts';
import { storedAnswer, wasSent, type Answered } from './provider-answer.ts';
import { recordCalls, type CallName, type RecordedCall } from './recorded-call.repository.ts';

/** The maximum of calls in one statement. */
const MOST_TOGETHER = 256;

/** The subject of a call: the payment, and our reference of the call. */
interface CallSubject {
  readonly payment: { readonly id: number; readonly tenant: string };
  readonly reference: string;
}

/**
 * Records the answers of providers, for operators who examine a stuck payment (decision 0041). Concurrent calls are written together. A
 * record that cannot be written is logged and lost: payments never wait for it.
 */
@Injectable()
export class RecordedCalls {
  private readonly groups = new GroupedCalls(
    (calls: readonly RecordedCall[]) => this.write(calls),
    MOST_TOGETHER,
  );

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Resolves once the answer is recorded, or could not be. Call it outside any transaction. */
  async record({ payment, reference }: CallSubject, call: CallName, answer: Answered): Promise<void> {
    const { id: payment_id, tenant } = payment;
    const stored = storedAnswer(answer);
    const sent = wasSent(stored) ? 1 : 0;
    try {
      await this.groups.call({ payment_id, tenant, reference, call, sent, ...stored });
    } catch (error) {
      this.log.error('an answer of a provider could not be recorded', error, { tenant, payment_id, call });
    }
  }

  private async write(calls: readonly RecordedCall[]): Promise<true[]> {
    const byReference = new Map<string, RecordedCall>();
    for (const call of calls) {
      const sent = call.sent + (byReference.get(call.reference)?.sent ?? 0);
      byReference.set(call.reference, { ...call, sent });
    }
    await recordCalls(this.database, [...byReference.values()], await this.database.now());
    return calls.map(() => true);
  }
}
