import { Decimal } from '@fundrail/contracts';
import { paymentMachine } from '@fundrail/state-machines';
import type { ModelStage } from './model-stage.ts';

const TERMINAL = new Set(['FAILED', 'APPROVED', 'REJECTED']);
const DEAD = new Set(['FAILED', 'REJECTED']);

interface MoneyRow {
  readonly id: number;
  readonly status: string;
  readonly provider_name: string;
  readonly received_amount: Decimal;
  readonly refunded_amount: Decimal;
  readonly transfer_reference: string | null;
}
interface HistoryRow {
  readonly payment_id: number;
  readonly trigger: string;
  readonly from_status: string;
  readonly to_status: string;
  readonly event_seq: number;
}

/** What must be so after every command (issue "Every way to pay", Proof). Answers what is not. */
export async function brokenRules(stage: ModelStage, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return [
    ...(await money(stage, ids)),
    ...(await onePaymentPerOrder(stage, ids)),
    ...(await steps(stage, ids)),
  ];
}

/** Received = transferred + refunded by us + held, to the paisa; and it is what the world says. */
async function money(stage: ModelStage, ids: readonly number[]): Promise<string[]> {
  const rows = await stage.rows<MoneyRow>('payments', 'SELECT * FROM payments WHERE id = ANY($1)', [ids]);
  const told = await stage.rows<{ payment_id: number; provider_reference: string; amount: Decimal }>(
    'payments',
    'SELECT payment_id, provider_reference, amount FROM captures WHERE payment_id = ANY($1)',
    [ids],
  );
  const refunds = await stage.rows<{
    payment_id: number;
    status: string;
    amount: Decimal;
    reference: string;
  }>(
    'payments',
    `SELECT payment_id, status, amount, reference FROM refunds WHERE payment_id = ANY($1) AND returned_by = 'provider'`,
    [ids],
  );
  const nothing = Decimal.parse('0');
  const sum = (amounts: readonly Decimal[]) => (amounts.length > 0 ? Decimal.sum(amounts) : nothing);
  return rows.flatMap((row) => {
    const account = stage.world.accounts.get(`P${String(row.id).padStart(12, '0')}`);
    const transfer = stage.world.transfers.get(row.transfer_reference ?? '');
    const transferred =
      transfer?.status === 'settled' ? sum(transfer.transfer.shares.map((share) => share.amount)) : nothing;
    const own = told.filter((capture) => capture.payment_id === row.id);
    const back = refunds.filter((refund) => refund.payment_id === row.id && refund.status !== 'FAILED');
    const held = row.received_amount.minus(row.refunded_amount).minus(transferred);
    const outThere = sum([...(account?.refunds.values() ?? [])]);
    const faults = {
      'received is not the captures': !sum(own.map((c) => c.amount)).equals(row.received_amount),
      'refunded is not the refunds': !sum(back.map((r) => r.amount)).equals(row.refunded_amount),
      'more went out than came in': held.compare(nothing) < 0,
      'a dead payment holds money': DEAD.has(row.status) && !held.equals(nothing),
      'an APPROVED payment holds money, or was not settled':
        row.status === 'APPROVED' && !held.equals(nothing),
      'a capture that the world does not know': own.some(
        ({ provider_reference: id, amount }) =>
          !account?.captures.some((capture) => capture.id === id && capture.amount.equals(amount)),
      ),
      'the world gave back more than we asked for': outThere.compare(row.refunded_amount) > 0,
    };
    return Object.entries(faults).flatMap(([fault, is]) =>
      is ? [`payment ${row.id} (${row.status}): ${fault}`] : [],
    );
  });
}

/** At most one live or successful payment per order; the claim in orders is that payment's. */
async function onePaymentPerOrder(stage: ModelStage, ids: readonly number[]): Promise<string[]> {
  const shares = await stage.rows<{ old_id: number; payment_id: number; live: boolean; status: string }>(
    'payments',
    `SELECT o.old_id, o.payment_id, o.live, p.status FROM payment_orders o JOIN payments p ON p.id = o.payment_id
      WHERE o.payment_id = ANY($1)`,
    [ids],
  );
  const claims = await stage.rows<{ old_id: number; claimed_by: number | null }>(
    'orders',
    'SELECT old_id, claimed_by FROM mf_orders WHERE old_id = ANY($1)',
    [shares.map((share) => share.old_id)],
  );
  const dead = shares.filter(({ live, status }) => live && DEAD.has(status));
  const live = Map.groupBy(
    shares.filter((share) => share.live),
    (share) => share.old_id,
  );
  const several = [...live].filter(([, payments]) => payments.length > 1);
  const wrong = claims.filter(
    ({ old_id, claimed_by }) => claimed_by !== (live.get(old_id)?.[0]?.payment_id ?? null),
  );
  return [
    ...dead.map(({ payment_id }) => `payment ${payment_id} is dead and holds an order`),
    ...several.map(([order]) => `order ${order} has several live payments`),
    ...wrong.map(({ old_id, claimed_by }) => `order ${old_id} is claimed by ${claimed_by}, against payments`),
  ];
}

/** Nothing leaves a terminal state, and each transition tells exactly the events of its table row. */
async function steps(stage: ModelStage, ids: readonly number[]): Promise<string[]> {
  const history = await stage.rows<HistoryRow>(
    'payments',
    'SELECT * FROM payment_history WHERE payment_id = ANY($1) ORDER BY payment_id, id',
    [ids],
  );
  const events = await stage.rows<{ aggregate_id: string; sequence: number; type: string }>(
    'payments',
    'SELECT aggregate_id, sequence, type FROM outbox WHERE aggregate_id = ANY($1) ORDER BY sequence',
    [ids.map(String)],
  );
  const tables: Readonly<Record<string, { readonly emits: readonly string[] }>> = paymentMachine.transitions;
  return ids.flatMap((id) => {
    const told = events.filter((event) => event.aggregate_id === String(id));
    const gaps = told.some(({ sequence }, index) => sequence !== index + 1)
      ? [`payment ${id}: events have a gap`]
      : [];
    const first = told[0]?.type === 'payment.pending' ? [] : [`payment ${id}: was not announced`];
    let before = 1;
    const wrong = history
      .filter((step) => step.payment_id === id)
      .flatMap(({ trigger, from_status, to_status, event_seq }) => {
        const emitted = told.slice(before, event_seq).map(({ type }) => type);
        before = event_seq;
        const row = tables[trigger];
        const isRight = row
          ? emitted.join() === row.emits.join()
          : from_status === to_status && ['', 'payment.updated'].includes(emitted.join());
        const left = TERMINAL.has(from_status) && to_status !== from_status;
        return [
          ...(isRight ? [] : [`payment ${id}: ${trigger} told ${emitted.join() || 'nothing'}`]),
          ...(left ? [`payment ${id}: left ${from_status} for ${to_status}`] : []),
        ];
      });
    const rest = before === told.length ? [] : [`payment ${id}: events without a step`];
    return [...gaps, ...first, ...wrong, ...rest];
  });
}
