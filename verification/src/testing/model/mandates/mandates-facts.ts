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
  /** Revocations that the provider has not confirmed. */
  readonly revocations: readonly { readonly mandate_token: string }[];
}

const DEBITS = `SELECT id FROM payments WHERE payment_type = 'NACH'`;

type PaymentOfMandate = MandateFactsRead['payments'][number];
const NO_NOTICE = { mandate_type: null, notified_at: null, notice_proof: null, notice_withdrawn_at: null };

/** The payments, each with the notice of its debit at mandates. */
async function paymentsOf(stage: MandatesStage): Promise<PaymentOfMandate[]> {
  type Notice = { payment_id: number } & Pick<PaymentOfMandate, keyof typeof NO_NOTICE>;
  const notices = await stage.rows<Notice>(
    'mandates',
    `SELECT d.payment_id, m.mandate_type, d.notified_at, d.notice_proof, d.notice_withdrawn_at
       FROM mandate_debits d JOIN mandates m ON m.id = d.mandate_id`,
  );
  const byPayment = new Map(notices.map(({ payment_id, ...notice }) => [payment_id, notice]));
  const payments = await stage.rows<Omit<PaymentOfMandate, keyof typeof NO_NOTICE>>(
    'payments',
    'SELECT id, mandate_id, payment_type, status, failure_code, failed_at FROM payments ORDER BY id',
  );
  return payments.map((payment) => ({ ...payment, ...(byPayment.get(payment.id) ?? NO_NOTICE) }));
}

/** Reads all rows, because the databases contain only those of the current sequence. */
export async function readFacts(stage: MandatesStage): Promise<MandateFactsRead> {
  const [money, payments, attempts, mandates, steps, events, debits, revocations] = await Promise.all([
    factsOf(
      stage,
      await stage.rows<{ id: number }>('payments', DEBITS).then((rows) => rows.map(({ id }) => id)),
    ),
    paymentsOf(stage),
    stage.rows<MandateFactsRead['attempts'][number]>(
      'mandates',
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
    stage.rows<{ mandate_token: string }>(
      'mandates',
      'SELECT mandate_token FROM mandate_revocations WHERE revoked_at IS NULL',
    ),
  ]);
  return { money, payments, attempts, mandates, steps, events, debits, revocations };
}
