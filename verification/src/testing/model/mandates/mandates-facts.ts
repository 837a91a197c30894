import { factsOf, type ModelFacts } from '../model-facts.ts';
import type { MandatesStage } from './mandates-stage.ts';

interface Step {
  readonly mandate_id: number;
  readonly trigger: string;
  readonly from_status: string | null;
  readonly to_status: string;
  readonly event_seq: number;
}

/** The facts about mandates and debits from the databases, as far as the rules need them. */
export interface MandateFactsRead {
  /** The debits' payments, with their money, orders and events. */
  readonly money: ModelFacts;
  readonly payments: readonly {
    readonly id: number;
    readonly mandate_id: number;
    readonly payment_type: 'NACH' | 'AUTH_TRANSACTION';
    readonly status: string;
    readonly failure_code: string | null;
    readonly failed_at: Date | null;
    readonly mandate_type: 'UPI' | 'E_MANDATE' | null;
    readonly notified_at: Date | null;
    readonly notice_proof: string | null;
    readonly notice_withdrawn_at: Date | null;
  }[];
  readonly attempts: readonly {
    readonly payment_id: number;
    readonly number: number;
    readonly ended_at: Date | null;
  }[];
  readonly mandates: readonly {
    readonly id: number;
    readonly mandate_status: string;
    readonly mandate_token: string | null;
    readonly valid_to: string;
    readonly authorising_payment: number | null;
  }[];
  readonly steps: readonly Step[];
  readonly events: ModelFacts['events'];
  readonly debits: readonly {
    readonly payment_id: number;
    readonly mandate_id: number;
    readonly state: string;
  }[];
  /** Permits that are open. */
  readonly permits: readonly {
    readonly payment_id: number;
    readonly step: string;
    readonly attempt: number;
  }[];
  /** Revocations that the provider has not confirmed. */
  readonly revocations: readonly { readonly mandate_token: string }[];
}

const DEBITS = `SELECT id FROM payments WHERE payment_type = 'NACH'`;

/** Reads all rows, because the databases contain only those of the current sequence. */
export async function readFacts(stage: MandatesStage): Promise<MandateFactsRead> {
  const [money, payments, attempts, mandates, steps, events, debits, permits, revocations] =
    await Promise.all([
      factsOf(
        stage,
        await stage.rows<{ id: number }>('payments', DEBITS).then((rows) => rows.map(({ id }) => id)),
      ),
      stage.rows<MandateFactsRead['payments'][number]>(
        'payments',
        `SELECT p.id, p.mandate_id, p.payment_type, p.status, p.failure_code, p.failed_at, d.mandate_type, d.notified_at, d.notice_proof,
              d.notice_withdrawn_at
         FROM payments p LEFT JOIN debits d ON d.payment_id = p.id ORDER BY p.id`,
      ),
      stage.rows<MandateFactsRead['attempts'][number]>(
        'payments',
        'SELECT payment_id, number, ended_at FROM debit_attempts',
      ),
      stage.rows<MandateFactsRead['mandates'][number]>(
        'mandates',
        'SELECT id, mandate_status, mandate_token, valid_to, authorising_payment FROM mandates ORDER BY id',
      ),
      stage.rows<Step>('mandates', 'SELECT * FROM mandate_history ORDER BY mandate_id, id'),
      stage.rows<ModelFacts['events'][number]>(
        'mandates',
        'SELECT aggregate_id, sequence, type FROM outbox ORDER BY aggregate_id, sequence',
      ),
      stage.rows<MandateFactsRead['debits'][number]>(
        'mandates',
        'SELECT payment_id, mandate_id, state FROM mandate_debits',
      ),
      stage.rows<MandateFactsRead['permits'][number]>(
        'mandates',
        'SELECT payment_id, step, attempt FROM mandate_permits WHERE closed_at IS NULL',
      ),
      stage.rows<{ mandate_token: string }>(
        'mandates',
        'SELECT mandate_token FROM mandate_revocations WHERE revoked_at IS NULL',
      ),
    ]);
  return { money, payments, attempts, mandates, steps, events, debits, permits, revocations };
}
