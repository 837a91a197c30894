import { Decimal } from '@fundrail/contracts';
import { paymentMachine } from '@fundrail/state-machines';
import type { ModelFacts } from './model-facts.ts';
import type { Confirmed } from './model.ts';
import type { OutsideWorld } from './outside-world.ts';

const TERMINAL = new Set(['FAILED', 'APPROVED', 'REJECTED']);
const DEAD = new Set(['FAILED', 'REJECTED']);
const HOLDING = new Set(['SUCCESS', 'INITIATED']);
const NOTHING = Decimal.parse('0');

/** The part of the outside world that the rules check. */
type WorldView = Pick<OutsideWorld, 'accounts' | 'transfers'>;

/** What must hold after every command. Returns the faults. */
export function brokenRules(facts: ModelFacts, world: WorldView, known: Known = NOTHING_KNOWN): string[] {
  return [
    ...money(facts, world),
    ...total(facts, world),
    ...registrar(facts),
    ...onePaymentPerOrder(facts, known.isLate),
    ...confirmedKeepTheirMoney(facts, known.confirmed),
    ...steps(facts),
  ];
}

/** What the test knows besides the databases. */
interface Known {
  /** The orders whose confirmation was answered with success, each with its payment then. */
  readonly confirmed: readonly Confirmed[];
  /** Events may be late: an order stays held by a dead payment until orders receives the event. */
  readonly isLate: boolean;
}

const NOTHING_KNOWN: Known = { confirmed: [], isLate: false };

/** ORD-28: an order is never both confirmed and given up. */
function confirmedKeepTheirMoney({ refunds }: ModelFacts, confirmed: readonly Confirmed[]): string[] {
  const given = refunds.filter(({ reason }) => reason === 'order_not_confirmed');
  return confirmed.flatMap(({ old_id, payment }) =>
    given.some((refund) => refund.payment_id === payment && refund.amc_order_ids.includes(old_id))
      ? [`order ${old_id} was confirmed under payment ${payment}, which refunded its money`]
      : [],
  );
}

/** The reference of a payment in the outside world. */
export function referenceOf(id: number): string {
  return `P${String(id).padStart(12, '0')}`;
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.length > 0 ? Decimal.sum(amounts) : NOTHING;
}

function transferredFor(
  { transfer_reference }: ModelFacts['payments'][number],
  { transfers }: WorldView,
): Decimal {
  const transfer = transfers.get(transfer_reference ?? '');
  if (transfer?.status !== 'settled') return NOTHING;
  return sum(transfer.transfer.shares.map((share) => share.amount));
}

/** Received = transferred + refunded by us + held, to the paisa. The status determines what is held, and all sums match the world. */
function money(facts: ModelFacts, world: WorldView): string[] {
  return facts.payments.flatMap((row) => {
    const account = world.accounts.get(referenceOf(row.id));
    const ofPayment = ({ payment_id }: { readonly payment_id: number }) => payment_id === row.id;
    const own = facts.captures.filter(ofPayment);
    const ours = facts.refunds.filter(ofPayment).filter((refund) => refund.returned_by === 'provider');
    const covered = new Set(ours.flatMap((refund) => refund.amc_order_ids));
    const left = facts.shares.filter(ofPayment).filter((share) => !covered.has(share.old_id));
    const back = ours.filter((refund) => refund.status !== 'FAILED').map((refund) => refund.amount);
    const held = row.received_amount.minus(row.refunded_amount).minus(transferredFor(row, world));
    const outThere = sum([...(account?.refunds.values() ?? [])]);
    const isSettled = world.transfers.get(row.transfer_reference ?? '')?.status === 'settled';
    const faults = {
      'received is not the captures': !sum(own.map((c) => c.amount)).equals(row.received_amount),
      'refunded is not the refunds': !sum(back).equals(row.refunded_amount),
      'more went out than came in': held.compare(NOTHING) < 0,
      'it is dead and holds money': DEAD.has(row.status) && !held.equals(NOTHING),
      'it holds money, or was not settled': row.status === 'APPROVED' && !held.equals(NOTHING),
      'it holds another amount than its remaining shares':
        HOLDING.has(row.status) && !isSettled && !held.equals(sum(left.map((share) => share.amount))),
      'a capture that the world does not know': own.some(
        ({ provider_reference: id, amount }) =>
          !account?.captures.some((capture) => capture.id === id && capture.amount.equals(amount)),
      ),
      'the world refunded more than we requested': outThere.compare(row.refunded_amount) > 0,
    };
    return Object.entries(faults).flatMap(([fault, is]) =>
      is ? [`payment ${row.id} (${row.status}): ${fault}`] : [],
    );
  });
}

/** The same in total: what the world took and gave back, and what we hold. */
function total({ payments }: ModelFacts, world: WorldView): string[] {
  const accounts = payments.flatMap(({ id }) => world.accounts.get(referenceOf(id)) ?? []);
  const taken = sum(accounts.flatMap(({ captures }) => captures.map((capture) => capture.amount)));
  const received = sum(payments.map((row) => row.received_amount));
  const transferred = sum(payments.map((row) => transferredFor(row, world)));
  const refunded = sum(payments.map((row) => row.refunded_amount));
  return [
    ...(received.compare(taken) > 0 ? ['in total: more is recorded than the world took'] : []),
    ...(transferred.plus(refunded).compare(received) > 0 ? ['in total: more went out than came in'] : []),
  ];
}

/** Refunds by the registrar itself: after a transfer, once for each order, and only for an order that has failed. */
function registrar({ refunds, payments, orders }: ModelFacts): string[] {
  const returned = refunds.filter((refund) => refund.returned_by === 'registrar');
  return payments.flatMap(({ id, status }) => {
    const own = returned.filter((refund) => refund.payment_id === id).flatMap((row) => row.amc_order_ids);
    const ended = new Set(
      orders.filter(({ state }) => state === 'failed' || state === 'reversed').map(({ old_id }) => old_id),
    );
    const faults = {
      'the registrar refunded what was not transferred': own.length > 0 && status !== 'APPROVED',
      'the registrar refunded an order twice': new Set(own).size !== own.length,
      'the registrar refunded an order that has not failed': own.some((order) => !ended.has(order)),
    };
    return Object.entries(faults).flatMap(([fault, is]) => (is ? [`payment ${id}: ${fault}`] : []));
  });
}

/** At most one live or successful payment per order; the claim in orders is that payment's. */
function onePaymentPerOrder({ shares, payments, orders }: ModelFacts, isLate: boolean): string[] {
  const statusOf = new Map(payments.map(({ id, status }) => [id, status]));
  const living = shares.filter((share) => share.live);
  const dead = living.filter(({ payment_id }) => DEAD.has(statusOf.get(payment_id) ?? ''));
  const live = Map.groupBy(living, (share) => share.old_id);
  const several = [...live].filter(([, payments]) => payments.length > 1);
  const wrong = orders.filter(({ old_id, claimed_by }) => {
    const holder = live.get(old_id)?.[0]?.payment_id ?? null;
    // A refunded share is free in payments before its order is free in orders.
    return claimed_by !== holder && !(isLate && holder === null);
  });
  return [
    ...dead.map(({ payment_id }) => `payment ${payment_id} is dead and holds an order`),
    ...several.map(([order]) => `order ${order} has several live payments`),
    ...wrong.map(({ old_id, claimed_by }) => `order ${old_id} is claimed by ${claimed_by}, against payments`),
  ];
}

/** Nothing leaves a terminal state, and each transition publishes exactly the events of its table row. */
function steps({ payments, history, events }: ModelFacts): string[] {
  const tables: Readonly<Record<string, { readonly emits: readonly string[] }>> = paymentMachine.transitions;
  return payments.flatMap(({ id }) => {
    const published = events.filter((event) => event.aggregate_id === String(id));
    const gaps = published.some(({ sequence }, index) => sequence !== index + 1)
      ? [`payment ${id}: events have a gap`]
      : [];
    const first = published[0]?.type === 'payment.pending' ? [] : [`payment ${id}: was not announced`];
    let before = 1;
    const wrong = history
      .filter((step) => step.payment_id === id)
      .flatMap(({ trigger, from_status, to_status, event_seq }) => {
        const emitted = published.slice(before, event_seq).map(({ type }) => type);
        before = event_seq;
        const row = tables[trigger];
        // A step beside the table: a change of the row alone, or a report to mandates.
        const beside = trigger === 'report_debit' ? ['payment.debit_fact'] : ['', 'payment.updated'];
        const isRight = row
          ? emitted.join() === row.emits.join()
          : from_status === to_status && beside.includes(emitted.join());
        const left = TERMINAL.has(from_status) && to_status !== from_status;
        return [
          ...(isRight ? [] : [`payment ${id}: ${trigger} published ${emitted.join() || 'nothing'}`]),
          ...(left ? [`payment ${id}: left ${from_status} for ${to_status}`] : []),
        ];
      });
    const rest = before === published.length ? [] : [`payment ${id}: events without a step`];
    return [...gaps, ...first, ...wrong, ...rest];
  });
}
