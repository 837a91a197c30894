import { ApiError, ValidationFailed, type MfPurchaseDto, type PatchMfPurchase } from '@fundrail/contracts';
import { Database, type Tx } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestmentAccounts } from '../investor/investment-accounts.ts';
import { passFaultPoint } from '../order/fault-points.ts';
import { findOrders, lockOrders } from '../order/order.repository.ts';
import { recordSteps } from '../order/record-steps.ts';
import { atField, fieldOf, type FieldPrefix } from './field-prefix.ts';
import {
  confirm,
  recordConsent,
  toMfPurchase,
  type Contacts,
  type Purchase,
  type PurchaseStep,
} from './mf-purchase.ts';

const NO_CONTACTS: Contacts = { email: null, isd_code: null, mobile: null };

/** Records consent on purchases or confirms them: one, or a batch of one account, all or nothing (contract §2). */
@Injectable()
export class ChangeMfPurchases {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
  ) {}

  /** `answer` makes the response out of the orders, in the order asked. An unknown id is a 400 on its field. */
  async execute<A>(
    caller: Caller,
    patches: readonly PatchMfPurchase[],
    prefix: FieldPrefix,
    answer: (orders: MfPurchaseDto[]) => A,
  ): Promise<A> {
    const contacts = await this.contactsFor(caller.tenant, patches, prefix);
    const answered = await this.database.transaction(async (tx) => {
      const orders = await changeAll(tx, caller.tenant, patches, prefix, contacts);
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
    patches: readonly PatchMfPurchase[],
    prefix: FieldPrefix,
  ): Promise<Contacts> {
    const ids = patches.map(({ id }) => id);
    const rows = inTheirOrder(await findOrders(this.database, tenant, 'purchase', ids), patches, prefix);
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

async function changeAll(
  tx: Tx,
  tenant: string,
  patches: readonly PatchMfPurchase[],
  prefix: FieldPrefix,
  contacts: Contacts,
): Promise<MfPurchaseDto[]> {
  const ids = patches.map(({ id }) => id);
  const rows = inTheirOrder(await lockOrders(tx, tenant, 'purchase', ids), patches, prefix);
  const orders: MfPurchaseDto[] = [];
  for (const [index, patch] of patches.entries()) {
    const row = rows[index];
    if (!row) throw new Error('an order was read before and is gone');
    const step = atField(prefix, index, () => change(row, patch, contacts, tx.now));
    await recordSteps(tx, row, [step]);
    orders.push(toMfPurchase(step.row));
  }
  return orders;
}

function change(row: Purchase, patch: PatchMfPurchase, contacts: Contacts, now: Date): PurchaseStep {
  return patch.consent ? recordConsent(row, patch.consent, contacts) : confirm(row, now);
}

/** The rows as the patches name them. Throws `ValidationFailed` on the ids that are not the tenant's (contract §0.1). */
function inTheirOrder(
  rows: readonly Purchase[],
  patches: readonly PatchMfPurchase[],
  prefix: FieldPrefix,
): Purchase[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const missing = patches.flatMap(({ id }, index) => (byId.has(id) ? [] : [index]));
  if (missing.length > 0)
    throw new ValidationFailed(
      missing.map((index) => ({
        field: fieldOf(prefix, index, 'id'),
        message: 'is not a purchase of this tenant',
      })),
    );
  return patches.flatMap(({ id }) => byId.get(id) ?? []);
}
