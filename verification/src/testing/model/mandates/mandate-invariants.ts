import { mandateMachine } from '@fundrail/state-machines';
import { brokenRules } from '../invariants.ts';
import { MOST_ATTEMPTS } from './debit-policy-of-the-contract.ts';
import type { MandateFactsRead } from './mandates-facts.ts';
import type { MandatesWorld } from './mandates-world.ts';

const LIVE = new Set(['PENDING', 'SUBMITTED']);
const LIVE_DEBITS = new Set(['admitted', 'notifying', 'planned', 'attempting']);
const ENDED = new Set(['CANCELLED', 'EXPIRED', 'REJECTED']);
const DEAD = new Set(['FAILED', 'REJECTED']);
const ENDED_ORDERS = new Set(['failed', 'cancelled', 'reversed']);
/** Failures after which a later attempt may succeed. */
const POOR = new Set(['insufficient_funds', 'bank_downtime']);

type Facts = MandateFactsRead;
/** The part of the outside world that the rules check. */
type MandateWorldView = Pick<
  MandatesWorld,
  'accounts' | 'transfers' | 'tokens' | 'asked' | 'broken' | 'notices' | 'attempts'
>;

/**
 * What must hold after every command (DEB-2 to DEB-18). Returns the faults. `isUndisturbed`: no call between the services was
 * lost, so nothing waits for a sweep.
 */
export function brokenMandateRules(facts: Facts, world: MandateWorldView, isUndisturbed: boolean): string[] {
  return [
    ...world.broken,
    ...brokenRules(isUndisturbed ? facts.money : withoutStrangers(facts.money), world),
    ...machine(facts),
    ...explained(facts, world),
    ...oneAuthorisation(facts, isUndisturbed),
    ...oneDebitPerOrder(facts),
    ...noticesAreProved(facts),
    ...admissionsAgree(facts, isUndisturbed),
    ...endedMandatesEndDebits(facts),
    ...endedOrdersEndDebits(facts, isUndisturbed),
    ...triedAsOftenAsMayBe(facts, world),
  ];
}

/** Leaves out claims whose payment was never created: they wait for the sweep. */
function withoutStrangers(money: Facts['money']): Facts['money'] {
  const known = new Set(money.payments.map(({ id }) => id));
  const orders = money.orders.filter(({ claimed_by }) => claimed_by === null || known.has(claimed_by));
  return { ...money, orders };
}

/** Each step is in the machine's table, starts where the last one ended, and publishes exactly the table's events, without a gap. */
function machine({ mandates, steps, events }: Facts): string[] {
  const table: Readonly<
    Record<
      string,
      { readonly from: readonly string[]; readonly to: string; readonly emits: readonly string[] }
    >
  > = mandateMachine.transitions;
  return mandates.flatMap(({ id, mandate_status }) => {
    const published = events.filter(({ aggregate_id }) => aggregate_id === String(id));
    const faults = published.some(({ sequence }, index) => sequence !== index + 1)
      ? ['its events have a gap']
      : [];
    let before = 0;
    let status: string | null = null;
    for (const step of steps.filter(({ mandate_id }) => mandate_id === id)) {
      const emitted = published
        .slice(before, step.event_seq)
        .map(({ type }) => type)
        .join();
      const row = table[step.trigger];
      const isRight =
        status === null
          ? emitted === mandateMachine.creation.emits.join()
          : row
            ? row.from.includes(status) && row.to === step.to_status && emitted === row.emits.join()
            : step.to_status === status && emitted === '';
      if (!isRight)
        faults.push(`${step.trigger} led from ${status} to ${step.to_status} and published ${emitted}`);
      status = step.to_status;
      before = step.event_seq;
    }
    if (status !== mandate_status) faults.push(`its last step led to ${status}`);
    if (before !== published.length) faults.push('it published more than its steps');
    return faults.map((fault) => `mandate ${id} (${mandate_status}): ${fault}`);
  });
}

/** The state of a mandate has a cause in the outside world. */
function explained({ mandates }: Facts, world: MandateWorldView): string[] {
  return mandates.flatMap(({ id, mandate_status, mandate_token }) => {
    const own = [...world.asked.values()].filter(({ registration }) => registration.mandate_id === id);
    const token = world.tokens.get(mandate_token ?? '');
    const wasSeen = own.some(({ status }) => status.status !== 'waiting');
    const faults = {
      'it is approved without an approval': ['APPROVED', 'PAUSED'].includes(mandate_status) && !token,
      "its token is another mandate's": token && token.registration.mandate_id !== id,
      'it is on its way without an answer':
        ['RECEIVED', 'SUBMITTED', 'REJECTED'].includes(mandate_status) && !wasSeen,
    };
    return Object.entries(faults).flatMap(([fault, is]) => (is ? [`mandate ${id}: ${fault}`] : []));
  });
}

/** At most one authorisation runs, and mandates refers to it. */
function oneAuthorisation({ mandates, payments }: Facts, isUndisturbed: boolean): string[] {
  return mandates.flatMap(({ id, authorising_payment }) => {
    const running = payments.filter(
      (row) => row.payment_type === 'AUTH_TRANSACTION' && row.mandate_id === id && LIVE.has(row.status),
    );
    const holder = payments.find((row) => row.id === authorising_payment);
    const isHeldForNothing =
      authorising_payment !== null && (holder ? !LIVE.has(holder.status) : isUndisturbed);
    return [
      ...(running.length > 1 ? [`mandate ${id} has ${running.length} running authorisations`] : []),
      ...(running.length === 1 && running[0]?.id !== authorising_payment
        ? [`mandate ${id} is authorised by ${running[0]?.id}, but ${authorising_payment} holds it`]
        : []),
      ...(isHeldForNothing ? [`mandate ${id} is held by ${authorising_payment}, which is over`] : []),
    ];
  });
}

/** No order is paid twice, and no order has two live debits. */
function oneDebitPerOrder({ money }: Facts): string[] {
  const statusOf = new Map(money.payments.map(({ id, status }) => [id, status]));
  const alive = money.shares.filter(({ payment_id }) => !DEAD.has(statusOf.get(payment_id) ?? ''));
  return [...Map.groupBy(alive, ({ old_id }) => old_id)].flatMap(([order, shares]) =>
    shares.length > 1
      ? [`order ${order} has debits ${shares.map(({ payment_id }) => payment_id).join(' and ')}`]
      : [],
  );
}

/** Autopay is tried only after a notice with a stored proof. */
function noticesAreProved({ payments, attempts }: Facts): string[] {
  return payments.flatMap(({ id, mandate_type, notified_at, notice_proof }) =>
    mandate_type === 'UPI' &&
    attempts.some(({ payment_id }) => payment_id === id) &&
    (!notified_at || !notice_proof)
      ? [`debit ${id} was tried without a proved notice`]
      : [],
  );
}

/** An admission lives as long as its payment, and has the same result. */
function admissionsAgree({ payments, debits }: Facts, isUndisturbed: boolean): string[] {
  const byPayment = new Map(debits.map((row) => [row.payment_id, row]));
  const nach = payments.filter(({ payment_type }) => payment_type === 'NACH');
  const wrong = nach.flatMap(({ id, status }) => {
    const state = byPayment.get(id)?.state ?? 'not admitted';
    const isRight = LIVE.has(status)
      ? LIVE_DEBITS.has(state)
      : DEAD.has(status)
        ? state === 'failed' || state === 'cancelled' || state === 'released'
        : state === 'succeeded';
    return isRight ? [] : [`debit ${id} is ${status}, and ${state} at mandates`];
  });
  const known = new Set(nach.map(({ id }) => id));
  const stray = debits.filter(({ payment_id, state }) => LIVE_DEBITS.has(state) && !known.has(payment_id));
  return [
    ...wrong,
    ...(isUndisturbed
      ? stray.map(({ payment_id }) => `${payment_id} was admitted and is not a payment`)
      : []),
  ];
}

/**
 * A mandate that is over ends its debits immediately, except those in flight (DEB-6). An open attempt counts as in flight, because
 * the answer to its call may have been lost.
 */
function endedMandatesEndDebits({ mandates, payments, attempts }: Facts): string[] {
  const over = new Set(
    mandates.filter(({ mandate_status }) => ENDED.has(mandate_status)).map(({ id }) => id),
  );
  const open = new Set(
    attempts.filter(({ ended_at }) => ended_at === null).map(({ payment_id }) => payment_id),
  );
  return payments
    .filter(
      ({ id, payment_type, mandate_id, status }) =>
        payment_type === 'NACH' && status === 'PENDING' && over.has(mandate_id) && !open.has(id),
    )
    .map(({ id, mandate_id }) => `debit ${id} waits, and its mandate ${mandate_id} is over`);
}

/** No attempt starts for an order that accepts no more money (DEB-18: debits fail when their order ends). */
function endedOrdersEndDebits({ money, payments, attempts }: Facts, isUndisturbed: boolean): string[] {
  const over = new Set(
    money.orders.filter(({ state }) => ENDED_ORDERS.has(state)).map(({ old_id }) => old_id),
  );
  const open = new Set(
    attempts.filter(({ ended_at }) => ended_at === null).map(({ payment_id }) => payment_id),
  );
  const ofEnded = new Set(
    money.shares.filter(({ old_id }) => over.has(old_id)).map(({ payment_id }) => payment_id),
  );
  return payments
    .filter(({ id, status }) => isUndisturbed && LIVE.has(status) && ofEnded.has(id) && !open.has(id))
    .map(({ id, status }) => `debit ${id} is ${status}, and its order is over`);
}

/** Where a retry can help there are three (DEB-10): Autopay is not given up earlier, while order, mandate and notice allow retries. */
function triedAsOftenAsMayBe(
  { payments, mandates, money, attempts }: Facts,
  world: MandateWorldView,
): string[] {
  const approved = new Set(
    mandates.filter(({ mandate_status }) => mandate_status === 'APPROVED').map(({ id }) => id),
  );
  const wanted = new Set(
    money.orders.filter(({ state }) => state === 'submitted').map(({ old_id }) => old_id),
  );
  const ofWanted = new Set(
    money.shares.filter(({ old_id }) => wanted.has(old_id)).map(({ payment_id }) => payment_id),
  );
  const stopped = new Set(
    [...world.notices.values()].filter(({ failed }) => failed).map(({ debit }) => debit.payment_id),
  );
  return payments
    .filter(
      ({ id, mandate_id, mandate_type, status, failure_code }) =>
        mandate_type === 'UPI' &&
        status === 'FAILED' &&
        POOR.has(failure_code ?? '') &&
        approved.has(mandate_id) &&
        ofWanted.has(id) &&
        !stopped.has(id) &&
        hasTriesLeft(attempts.filter(({ payment_id }) => payment_id === id).length),
    )
    .map(({ id, failure_code }) => `debit ${id} was given up after ${failure_code}, with attempts left`);
}

/** A debit without any attempt failed because its notice was refused. */
function hasTriesLeft(tries: number): boolean {
  return tries > 0 && tries < MOST_ATTEMPTS;
}
