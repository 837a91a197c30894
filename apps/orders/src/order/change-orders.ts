import {
  ApiError,
  ValidationFailed,
  type PatchMfPurchase,
  type PatchMfRedemption,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { refuseEvidence, type Choice } from '@fundrail/policies';
import { Database } from '@fundrail/service-kit/db';
import { atField, fieldOf, Tenants, type Caller, type FieldPrefix } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestmentAccounts } from '../outside/investment-accounts.ts';
import { passFaultPoint } from './fault-points.ts';
import type { OrderKind } from './order-kind.ts';
import { ORDER } from './order.aggregate.ts';
import type { Contacts, Order } from './order.ts';
import { findOrders, lockOrders } from './order.repository.ts';

type Patch = PatchMfPurchase | PatchMfRedemption;

/** The changes of one request. */
interface ChangesAsked<P extends Patch> {
  readonly patches: readonly P[];
  readonly prefix: FieldPrefix;
}

/** The same with what is known of them before the transaction. */
interface ChangesToMake<P extends Patch> extends ChangesAsked<P>, Known {
  readonly tenant: string;
}

/** What identity knows: the account's contacts, and what operators chose about the proof of a consent. */
interface Known {
  readonly contacts: Contacts;
  readonly choice: Choice | null;
}

/** Enough for patches without a consent. */
const NOTHING_KNOWN: Known = { contacts: { email: null, isd_code: null, mobile: null }, choice: null };

/** Records consent on orders or confirms them: one, or a batch of one account, all or nothing (ORD-10, CONV-24). */
@Injectable()
export class ChangeOrders {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
    private readonly tenants: Tenants,
  ) {}

  /** `answer` creates the response from the orders, in the order of the request. An unknown id is a 400 on its field. */
  async execute<P extends Patch, D, A>(
    of: OrderKind<never, P, D>,
    caller: Caller,
    asked: ChangesAsked<P>,
    answer: (orders: D[]) => A,
  ): Promise<A> {
    const { tenant } = caller;
    const known = await this.knownFor(tenant, of.kind, asked);
    const answered = await this.database.transaction(async (tx) => {
      const orders = await changeAll(tx, of, { ...asked, ...known, tenant });
      const result = await caller.answer(tx, answer(orders));
      await passFaultPoint('orders.change.before_commit');
      return result;
    });
    await passFaultPoint('orders.change.committed');
    return answered;
  }

  /** Asks identity before the transaction starts, because an order's account never changes. */
  private async knownFor(tenant: string, kind: Order['kind'], asked: ChangesAsked<Patch>): Promise<Known> {
    const { patches, prefix } = asked;
    const rows = inOrderOfPatches(await findOrders(this.database, tenant, kind, idsOf(asked)), kind, asked);
    const account = rows[0]?.mf_investment_account ?? '';
    const strangers = rows.flatMap((row, index) => (row.mf_investment_account === account ? [] : [index]));
    if (strangers.length > 0)
      throw new ValidationFailed(
        strangers.map((index) => ({
          field: fieldOf(prefix, index, 'id'),
          message: 'must be of the same investment account',
        })),
      );
    if (patches.every(({ consent }) => consent === undefined)) return NOTHING_KNOWN;
    const [facts, choices] = await Promise.all([
      this.accounts.find(tenant, account),
      this.tenants.policies(tenant),
    ]);
    if (!facts) throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    return { contacts: facts.contacts, choice: choices['two_factor_consent'] ?? null };
  }
}

async function changeAll<P extends Patch, D>(
  tx: Tx,
  of: OrderKind<never, P, D>,
  changes: ChangesToMake<P>,
): Promise<D[]> {
  const { tenant, patches, prefix, contacts, choice } = changes;
  const locked = await lockOrders(tx, tenant, of.kind, idsOf(changes));
  const rows = inOrderOfPatches(locked, of.kind, changes);
  const decided = patches.map((patch, index) => {
    const before = rows[index];
    if (!before) throw new Error('an order was read before and no longer exists');
    const decide = () => {
      const steps = of.change(before, patch, contacts, tx.now);
      const refusal = patch.consent ? refuseEvidence(patch.consent, of.kind, choice, tx.now) : null;
      if (refusal) throw refusal;
      return steps;
    };
    return { before, steps: atField(prefix, index, decide) };
  });
  await ORDER.recordAll(tx, decided);
  return decided.map(({ before, steps }) => of.toObject(steps.at(-1)?.row ?? before, tx.now));
}

function idsOf({ patches }: ChangesAsked<Patch>): string[] {
  return patches.map(({ id }) => id);
}

/** The rows in the order of the patches. Throws `ValidationFailed` for the ids that the tenant does not have (ERR-5). */
function inOrderOfPatches(
  rows: readonly Order[],
  kind: Order['kind'],
  { patches, prefix }: ChangesAsked<Patch>,
): Order[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const missing = patches.flatMap(({ id }, index) => (byId.has(id) ? [] : [index]));
  if (missing.length > 0)
    throw new ValidationFailed(
      missing.map((index) => ({
        field: fieldOf(prefix, index, 'id'),
        message: `is not a ${kind} of this tenant`,
      })),
    );
  return patches.flatMap(({ id }) => byId.get(id) ?? []);
}
