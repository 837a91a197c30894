import type { Claim, ClaimResult, FieldError } from '@fundrail/contracts';
import type { MfOrder } from '../order/order.table.ts';

/** The fields of an order that the claim needs. */
export type ClaimableOrder = Readonly<
  Pick<
    MfOrder,
    | 'old_id'
    | 'id'
    | 'tenant'
    | 'kind'
    | 'mf_investment_account'
    | 'investor_profile'
    | 'state'
    | 'consent'
    | 'amount'
    | 'claimed_by'
    | 'event_seq'
    | 'scheme'
    | 'scheme_category'
    | 'collection_mandate'
    | 'collected_at'
    | 'plan'
    | 'given_up_by'
    | 'debited_mandate'
    | 'debit_over_at'
  >
>;

/** The fields of an order in the answer to a claim. */
type ClaimedRow = Pick<
  ClaimableOrder,
  'old_id' | 'id' | 'state' | 'amount' | 'event_seq' | 'scheme' | 'scheme_category' | 'mf_investment_account'
>;

/** The result of a batch of claims: a result for each in the order of the request, and the new holders of the orders. */
interface ClaimDecision {
  readonly results: readonly ClaimResult[];
  /** Only the orders whose holder changed: `old_id` → payment. */
  readonly taken: ReadonlyMap<number, number>;
}

type Refusal = Extract<ClaimResult, { outcome: 'refused' }>;
type RefusalCode = Refusal['code'];

/**
 * Decides claims one after the other, each with the effect of those before it. Each is all or nothing. A retry by the same payment
 * gets the same answer (CLAIM-2). `orders` are locked by the caller.
 */
export function decideClaims(orders: readonly ClaimableOrder[], claims: readonly Claim[]): ClaimDecision {
  const held = new Map(orders.map((order) => [order.old_id, order]));
  const taken = new Map<number, number>();
  const results = claims.map((claim) => {
    const result = decideClaim(held, claim);
    if (result.outcome === 'refused') return result;
    for (const id of claim.amc_order_ids) {
      const order = held.get(id);
      if (!order || order.claimed_by === claim.payment_id) continue;
      held.set(id, { ...order, claimed_by: claim.payment_id });
      taken.set(id, claim.payment_id);
    }
    return result;
  });
  return { results, taken };
}

/**
 * The claims that can be tried together in one statement, so that no order occurs in two of them. The first claim with an order is
 * taken; the others are decided one after the other.
 */
export function claimsWithoutOverlap(claims: readonly Claim[]): readonly Claim[] {
  const named = new Set<number>();
  return claims.filter(({ amc_order_ids }) => {
    const fits =
      new Set(amc_order_ids).size === amc_order_ids.length && !amc_order_ids.some((id) => named.has(id));
    if (fits) for (const id of amc_order_ids) named.add(id);
    return fits;
  });
}

function decideClaim(held: ReadonlyMap<number, ClaimableOrder>, claim: Claim): ClaimResult {
  const orders = claim.amc_order_ids
    .flatMap((id) => held.get(id) ?? [])
    .filter((order) => isPayable(order, claim));
  return (
    faultyRequest(orders, claim) ??
    wrongState(orders, claim) ??
    withoutConsent(orders, claim) ??
    heldByOthers(orders, claim) ??
    claimed(orders, claim)
  );
}

function isPayable(order: ClaimableOrder, claim: Claim): boolean {
  return order.tenant === claim.tenant && (order.kind === 'purchase' || isCollectable(order, claim));
}

/** A redemption takes money only when it is an installment collected by its plan, and only by a debit (PLAN-23). */
function isCollectable(order: ClaimableOrder, claim: Claim): boolean {
  return claim.mandate_id !== undefined && order.collection_mandate !== null && order.amount !== null;
}

/** Another mandate's debit would take the money from an account that is not the plan's (PLAN-24). */
function isOfAnotherMandate({ kind, collection_mandate }: ClaimableOrder, claim: Claim): boolean {
  return kind === 'redemption' && collection_mandate !== claim.mandate_id;
}

/** Faults of the request itself: unknown or repeated orders, several accounts, another investor's bank account, another mandate. */
function faultyRequest(orders: readonly ClaimableOrder[], claim: Claim): Refusal | null {
  const known = new Map(orders.map((order) => [order.old_id, order]));
  const account = orders[0]?.mf_investment_account;
  const errors = claim.amc_order_ids.flatMap((id, index): FieldError[] => {
    const message = faultOfOrder(claim, index, known.get(id), account);
    return message ? [{ field: `amc_order_ids.${index}`, message }] : [];
  });
  const stranger =
    claim.investor_profile !== null &&
    orders.some((order) => order.investor_profile !== claim.investor_profile);
  if (stranger && errors.length === 0)
    errors.push({ field: 'bank_account_id', message: "must be the investor's" });
  if (errors.length === 0 && orders.some((order) => isOfAnotherMandate(order, claim)))
    errors.push({ field: 'mandate_id', message: "must be the mandate of the installment's plan" });
  if (errors.length === 0) return null;
  return refuse(claim, 'BAD_REQUEST_ERROR', `Validation failed. ${errors.length} error(s)`, { errors });
}

function faultOfOrder(
  claim: Claim,
  index: number,
  order: ClaimableOrder | undefined,
  account: string | undefined,
): string | null {
  if (!order) return 'is not a purchase of this tenant';
  if (claim.amc_order_ids.indexOf(order.old_id) !== index) return 'must not be listed twice';
  if (order.mf_investment_account !== account) return 'must be of the same investment account as the others';
  return null;
}

/**
 * Allowed are pending orders, submitted ones for a retry, and confirmed installments that are not collected. The order that this
 * payment already holds may have moved on meanwhile.
 */
function wrongState(orders: readonly ClaimableOrder[], claim: Claim): Refusal | null {
  const wrong = orders.find((order) => order.claimed_by !== claim.payment_id && !takesMoney(order));
  if (!wrong) return null;
  const { old_id, state, kind } = wrong;
  const when = kind === 'purchase' ? 'paid while pending or submitted' : 'collected once, while confirmed';
  return refuse(claim, 'ORDER_NOT_PENDING', `order ${old_id} is ${state}; it can be ${when}`);
}

function takesMoney({ kind, state, collected_at }: ClaimableOrder): boolean {
  return kind === 'purchase'
    ? state === 'pending' || state === 'submitted'
    : state === 'confirmed' && collected_at === null;
}

function withoutConsent(orders: readonly ClaimableOrder[], claim: Claim): Refusal | null {
  const without = orders.find(({ consent }) => consent === null);
  return without ? refuse(claim, 'CONSENT_MISSING', `order ${without.old_id} has no consent`) : null;
}

/** A holder that payments knows to be dead is replaced. The comparison is made under the row lock. */
function heldByOthers(orders: readonly ClaimableOrder[], claim: Claim): Refusal | null {
  const holders = orders.flatMap(({ claimed_by }) =>
    claimed_by === null || claimed_by === claim.payment_id || claim.replaces.includes(claimed_by)
      ? []
      : [claimed_by],
  );
  if (holders.length === 0) return null;
  const claimed_by = [...new Set(holders)];
  const message = `held by payment ${claimed_by.join(', ')}`;
  return refuse(claim, 'PAYMENT_ALREADY_EXISTS', message, { claimed_by });
}

/** The answer to a claim that holds all its orders. */
export function claimed(orders: readonly ClaimedRow[], claim: Claim): ClaimResult {
  const [first] = orders;
  if (!first) throw new Error('a claim has at least one order');
  return {
    outcome: 'claimed',
    payment_id: claim.payment_id,
    mf_investment_account: first.mf_investment_account,
    orders: orders.map(({ old_id, id, state, amount, event_seq, scheme, scheme_category }) => {
      if (!amount) throw new Error(`${id} has no amount`);
      return { old_id, id, state, amount, scheme, scheme_category, sequence: event_seq };
    }),
  };
}

function refuse(
  claim: Claim,
  code: RefusalCode,
  message: string,
  details: { errors?: FieldError[]; claimed_by?: number[] } = {},
): Refusal {
  return {
    outcome: 'refused',
    payment_id: claim.payment_id,
    code,
    message,
    errors: [],
    claimed_by: [],
    ...details,
  };
}
