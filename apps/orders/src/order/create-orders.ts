import {
  istDate,
  newId,
  ValidationFailed,
  type CreateMfPurchase,
  type CreateMfRedemption,
  type FieldError,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { fieldOf, type Caller, type FieldPrefix } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestmentAccounts } from '../outside/investment-accounts.ts';
import { passFaultPoint } from './fault-points.ts';
import type { OrderKind } from './order-kind.ts';
import { ORDER } from './order.aggregate.ts';
import { drawOrderNumbers } from './order.repository.ts';

type Input = CreateMfPurchase | CreateMfRedemption;

/** The orders of one request. */
interface OrdersAsked<C extends Input> {
  readonly inputs: readonly C[];
  readonly prefix: FieldPrefix;
}

/** Creates one order or a batch of one account, all or nothing. The gateway is asked for the review afterwards (ORD-2, ORD-18). */
@Injectable()
export class CreateOrders {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
  ) {}

  /** `answer` creates the response from the orders. On a fault, throws `ValidationFailed` with the field, and writes nothing. */
  async execute<C extends Input, D, A>(
    of: OrderKind<C, never, D>,
    caller: Caller,
    asked: OrdersAsked<C>,
    answer: (orders: D[]) => A,
  ): Promise<A> {
    const investor_profile = await this.ownerOf(caller.tenant, asked);
    const answered = await this.database.transaction(async (tx) => {
      refuseFutureDates(asked, istDate(tx.now));
      const orders = await insertAll(tx, of, { tenant: caller.tenant, investor_profile }, asked);
      const result = await caller.answer(tx, answer(orders));
      await passFaultPoint('orders.create.before_commit');
      return result;
    });
    await passFaultPoint('orders.create.committed');
    return answered;
  }

  private async ownerOf(tenant: string, { inputs, prefix }: OrdersAsked<Input>): Promise<string> {
    const account = inputs[0]?.mf_investment_account ?? '';
    const owner = await this.accounts.findOwner(tenant, account);
    if (owner) return owner;
    const message = 'is not an investment account of this tenant';
    throw new ValidationFailed(
      inputs.map((_, index) => ({ field: fieldOf(prefix, index, 'mf_investment_account'), message })),
    );
  }
}

function refuseFutureDates({ inputs, prefix }: OrdersAsked<Input>, today: string): void {
  const errors = inputs.flatMap(({ scheduled_on }, index): FieldError[] =>
    scheduled_on && scheduled_on > today
      ? [{ field: fieldOf(prefix, index, 'scheduled_on'), message: 'must not be in the future' }]
      : [],
  );
  if (errors.length > 0) throw new ValidationFailed(errors);
}

async function insertAll<C extends Input, D>(
  tx: Tx,
  of: OrderKind<C, never, D>,
  owner: { readonly tenant: string; readonly investor_profile: string },
  { inputs, prefix }: OrdersAsked<C>,
): Promise<D[]> {
  const numbers = await drawOrderNumbers(tx, inputs.length);
  const orders: D[] = [];
  for (const [index, input] of inputs.entries()) {
    const old_id = numbers[index];
    if (old_id === undefined) throw new Error('the sequence returned too few numbers');
    const step = of.create(input, { ...owner, id: newId(of.kind), old_id, now: tx.now });
    if (!(await ORDER.create(tx, step)))
      throw new ValidationFailed([
        { field: fieldOf(prefix, index, 'source_ref_id'), message: 'should be unique' },
      ]);
    orders.push(of.toObject(step.row, tx.now));
  }
  return orders;
}
