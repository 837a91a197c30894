import type { Decimal } from '@fundrail/contracts';
import type { ModelStage } from './model-stage.ts';

/** The facts about some payments from the databases of payments and orders, as far as the rules need them. */
export interface ModelFacts {
  readonly payments: readonly {
    readonly id: number;
    readonly status: string;
    readonly received_amount: Decimal;
    readonly refunded_amount: Decimal;
    readonly transfer_reference: string | null;
  }[];
  readonly captures: readonly {
    readonly payment_id: number;
    readonly provider_reference: string;
    readonly amount: Decimal;
  }[];
  readonly refunds: readonly {
    readonly payment_id: number;
    readonly status: string;
    readonly reason: string;
    readonly amount: Decimal;
    readonly returned_by: string;
    readonly amc_order_ids: readonly number[];
  }[];
  readonly shares: readonly {
    readonly payment_id: number;
    readonly old_id: number;
    readonly live: boolean;
    readonly amount: Decimal;
  }[];
  readonly orders: readonly {
    readonly old_id: number;
    readonly state: string;
    readonly claimed_by: number | null;
  }[];
  readonly history: readonly {
    readonly payment_id: number;
    readonly trigger: string;
    readonly from_status: string;
    readonly to_status: string;
    readonly event_seq: number;
  }[];
  readonly events: readonly {
    readonly aggregate_id: string;
    readonly sequence: number;
    readonly type: string;
  }[];
}

/** Reads the facts that the rules check. */
export async function factsOf(stage: Pick<ModelStage, 'rows'>, ids: readonly number[]): Promise<ModelFacts> {
  const read = <Row>(text: string, values: unknown = ids): Promise<Row[]> =>
    stage.rows<Row>('payments', text, [values]);
  const shares = await read<ModelFacts['shares'][number]>(
    'SELECT * FROM payment_orders WHERE payment_id = ANY($1)',
  );
  return {
    payments: await read<ModelFacts['payments'][number]>('SELECT * FROM payments WHERE id = ANY($1)'),
    captures: await read<ModelFacts['captures'][number]>('SELECT * FROM captures WHERE payment_id = ANY($1)'),
    refunds: await read<ModelFacts['refunds'][number]>('SELECT * FROM refunds WHERE payment_id = ANY($1)'),
    shares,
    orders: await stage.rows(
      'orders',
      'SELECT old_id, state, claimed_by FROM mf_orders WHERE old_id = ANY($1)',
      [shares.map((share) => share.old_id)],
    ),
    history: await read<ModelFacts['history'][number]>(
      'SELECT * FROM payment_history WHERE payment_id = ANY($1) ORDER BY payment_id, id',
    ),
    events: await read<ModelFacts['events'][number]>(
      'SELECT aggregate_id, sequence, type FROM outbox WHERE aggregate_id = ANY($1) ORDER BY aggregate_id, sequence',
      ids.map(String),
    ),
  };
}
