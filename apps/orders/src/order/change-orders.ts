import {
  ApiError,
  ValidationFailed,
  type PatchMfPurchase,
  type PatchMfRedemption,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestmentAccounts } from '../investor/investment-accounts.ts';
import { passFaultPoint } from './fault-points.ts';
import { atField, fieldOf, type FieldPrefix } from './field-prefix.ts';
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
interface ChangesToMake<P extends Patch> extends ChangesAsked<P> {
  readonly tenant: string;
  readonly contacts: Contacts;
}

const NO_CONTACTS: Contacts = { email: null, isd_code: null, mobile: null };

/** Records consent on orders or confirms them: one, or a batch of one account, all or nothing (ORD-10, CONV-24). */
@Injectable()
export class ChangeOrders {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
  ) {}

  /** `answer` creates the response from the orders, in the order of the request. An unknown id is a 400 on its field. */
  async execute<P extends Patch, D, A>(
    of: OrderKind<never, P, D>,
    caller: Caller,
    asked: ChangesAsked<P>,
    answer: (orders: D[]) => A,
  ): Promise<A> {
    const { tenant } = caller;
    const contacts = await this.contactsFor(tenant, of.kind, asked);
    const answered = await this.database.transaction(async (tx) => {
      const orders = await changeAll(tx, of, { ...asked, tenant, contacts });
      const result = await caller.answer(tx, answer(orders));
      await passFaultPoint('orders.change.before_commit');
      return result;
    });
    await passFaultPoint('orders.change.committed');
    return answered;
  }

  /** Asks identity before the transaction starts, because an order's account never changes. */
  private async contactsFor(
    tenant: string,
    kind: Order['kind'],
    asked: ChangesAsked<Patch>,
  ): Promise<Contacts> {
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
    if (patches.every(({ consent }) => consent === undefined)) return NO_CONTACTS;
    const facts = await this.accounts.find(tenant, account);
    if (!facts) throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    return facts.contacts;
  }
}

async function changeAll<P extends Patch, D>(
  tx: Tx,
  of: OrderKind<never, P, D>,
  changes: ChangesToMake<P>,
): Promise<D[]> {
  const { tenant, patches, prefix, contacts } = changes;
  const locked = await lockOrders(tx, tenant, of.kind, idsOf(changes));
  const rows = inOrderOfPatches(locked, of.kind, changes);
  const decided = patches.map((patch, index) => {
    const before = rows[index];
    if (!before) throw new Error('an order was read before and no longer exists');
    return { before, steps: atField(prefix, index, () => of.change(before, patch, contacts, tx.now)) };
  });
  await ORDER.recordAll(tx, decided);
  return decided.map(({ before, steps }) => of.toObject(steps.at(-1)?.row ?? before));
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
