import {
  istDate,
  newId,
  ValidationFailed,
  type CreateMfPurchase,
  type FieldError,
  type MfPurchaseDto,
} from '@fundrail/contracts';
import { Database, type Tx } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestmentAccounts } from '../investor/investment-accounts.ts';
import { passFaultPoint } from '../order/fault-points.ts';
import { drawOrderNumbers, insertOrder } from '../order/order.repository.ts';
import { recordCreation } from '../order/record-steps.ts';
import { createPurchase, toMfPurchase } from './mf-purchase.ts';
import { fieldOf, type FieldPrefix } from './field-prefix.ts';

/** Takes one purchase or a batch of one account, all or nothing; the review is asked of the gateway afterwards (contract §2). */
@Injectable()
export class CreateMfPurchases {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
  ) {}

  /** `answer` makes the response out of the orders. Throws `ValidationFailed` on the field to blame, and writes nothing then. */
  async execute<A>(
    caller: Caller,
    inputs: readonly CreateMfPurchase[],
    prefix: FieldPrefix,
    answer: (orders: MfPurchaseDto[]) => A,
  ): Promise<A> {
    const owner = await this.ownerOf(caller.tenant, inputs, prefix);
    const answered = await this.database.transaction(async (tx) => {
      refuseFutureDates(inputs, prefix, istDate(tx.now));
      const orders = await insertAll(tx, { tenant: caller.tenant, investor_profile: owner }, inputs, prefix);
      const result = await caller.answer(tx, answer(orders));
      await passFaultPoint('orders.create.before_commit');
      return result;
    });
    await passFaultPoint('orders.create.committed');
    return answered;
  }

  private async ownerOf(
    tenant: string,
    inputs: readonly CreateMfPurchase[],
    prefix: FieldPrefix,
  ): Promise<string> {
    const account = inputs[0]?.mf_investment_account ?? '';
    const owner = await this.accounts.findOwner(tenant, account);
    if (owner) return owner;
    const message = 'is not an investment account of this tenant';
    throw new ValidationFailed(
      inputs.map((_, index) => ({ field: fieldOf(prefix, index, 'mf_investment_account'), message })),
    );
  }
}

function refuseFutureDates(inputs: readonly CreateMfPurchase[], prefix: FieldPrefix, today: string): void {
  const errors = inputs.flatMap(({ scheduled_on }, index): FieldError[] =>
    scheduled_on && scheduled_on > today
      ? [{ field: fieldOf(prefix, index, 'scheduled_on'), message: 'must not be in the future' }]
      : [],
  );
  if (errors.length > 0) throw new ValidationFailed(errors);
}

async function insertAll(
  tx: Tx,
  of: { readonly tenant: string; readonly investor_profile: string },
  inputs: readonly CreateMfPurchase[],
  prefix: FieldPrefix,
): Promise<MfPurchaseDto[]> {
  const numbers = await drawOrderNumbers(tx, inputs.length);
  const orders: MfPurchaseDto[] = [];
  for (const [index, input] of inputs.entries()) {
    const old_id = numbers[index];
    if (old_id === undefined) throw new Error('the sequence gave fewer numbers than asked for');
    const step = createPurchase(input, { ...of, id: newId('purchase'), old_id, now: tx.now });
    if (!(await insertOrder(tx, step.row)))
      throw new ValidationFailed([
        { field: fieldOf(prefix, index, 'source_ref_id'), message: 'should be unique' },
      ]);
    await recordCreation(tx, step);
    orders.push(toMfPurchase(step.row));
  }
  return orders;
}
