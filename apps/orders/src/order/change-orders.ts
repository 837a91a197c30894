import {
  ApiError,
  ValidationFailed,
  type PatchMfPurchase,
  type PatchMfRedemption,
} from '@fundrail/contracts';
import { Database, type Tx } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestmentAccounts } from '../investor/investment-accounts.ts';
import { passFaultPoint } from './fault-points.ts';
import { atField, fieldOf, type FieldPrefix } from './field-prefix.ts';
import type { OrderKind } from './order-kind.ts';
import type { Contacts, Order } from './order.ts';
import { findOrders, lockOrders } from './order.repository.ts';
import { recordSteps } from './record-steps.ts';

type Patch = PatchMfPurchase | PatchMfRedemption;

/** The changes of one request. */
export interface ChangesAsked<P extends Patch> {
  readonly patches: readonly P[];
  readonly prefix: FieldPrefix;
}

const NO_CONTACTS: Contacts = { email: null, isd_code: null, mobile: null };

/** Records consent on orders or confirms them: one, or a batch of one account, all or nothing (contract §2). */
@Injectable()
export class ChangeOrders {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
  ) {}

  /** `answer` makes the response out of the orders, in the order asked. An unknown id is a 400 on its field. */
  async execute<P extends Patch, D, A>(
    of: OrderKind<never, P, D>,
    caller: Caller,
    asked: ChangesAsked<P>,
    answer: (orders: D[]) => A,
  ): Promise<A> {
    const contacts = await this.contactsFor(caller.tenant, of.kind, asked);
    const answered = await this.database.transaction(async (tx) => {
      const orders = await changeAll(tx, of, caller.tenant, asked, contacts);
      const result = await caller.answer(tx, answer(orders));
      await passFaultPoint('orders.change.before_commit');
      return result;
    });
    await passFaultPoint('orders.change.committed');
    return answered;
  }

  /** Asks identity before the transaction begins; what an order's account is never changes. */
  private async contactsFor(
    tenant: string,
    kind: Order['kind'],
    asked: ChangesAsked<Patch>,
  ): Promise<Contacts> {
    const { patches, prefix } = asked;
    const rows = inTheirOrder(await findOrders(this.database, tenant, kind, idsOf(asked)), kind, asked);
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
  tenant: string,
  asked: ChangesAsked<P>,
  contacts: Contacts,
): Promise<D[]> {
  const locked = await lockOrders(tx, tenant, of.kind, idsOf(asked));
  const rows = inTheirOrder(locked, of.kind, asked);
  const orders: D[] = [];
  for (const [index, patch] of asked.patches.entries()) {
    const row = rows[index];
    if (!row) throw new Error('an order was read before and is gone');
    const steps = atField(asked.prefix, index, () => of.change(row, patch, contacts, tx.now));
    await recordSteps(tx, row, steps);
    orders.push(of.toObject(steps.at(-1)?.row ?? row));
  }
  return orders;
}

function idsOf({ patches }: ChangesAsked<Patch>): string[] {
  return patches.map(({ id }) => id);
}

/** The rows as the patches name them. Throws `ValidationFailed` on the ids that are not the tenant's (contract §0.1). */
function inTheirOrder(
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
