import { ApiError, raisedDebit, type RaisedDebit, type RaiseDebitRequest } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import {
  HandlesDue,
  pursue,
  type DueResult,
  type DueWork,
  type OutsideAnswer,
  type OutsideCall,
} from '@fundrail/service-kit/due';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestmentAccounts } from '../outside/investment-accounts.ts';
import { ORDER_DUE } from '../order/order-due.ts';
import type { Order } from '../order/order.ts';
import { findOrder, noteInvestor } from '../order/order.repository.ts';
import { LearnCollection } from './learn-collection.ts';
import { awaitsCollection } from './mf-redemption.ts';

/** An order whose money a mandate collects. */
type Collected = Order & { readonly collection_mandate: number };

/**
 * Starts the debit of a confirmed installment's mandate (PLAN-23). Payments creates one debit for an order, so a repeated request
 * is harmless, and one without an answer is retried (GATE-3). After that the debit's own events report its state. The order is
 * submitted once the debit has paid.
 */
@Injectable()
export class CollectInstallment {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
    private readonly services: ServiceClient,
    private readonly learn: LearnCollection,
    private readonly log: Log,
  ) {}

  @HandlesDue(ORDER_DUE.collect)
  collect(work: DueWork): Promise<DueResult> {
    const call: OutsideCall<Collected, RaisedDebit> = {
      load: async ({ tenant, key }) => {
        const row = await findOrder(this.database, tenant, 'redemption', { id: key });
        return row && isCollected(row) && awaitsCollection(row) ? row : null;
      },
      send: { name: 'orders.collect', call: (row) => this.raise(row) },
      apply: (row, debit) => this.conclude(row, debit),
      silence: {
        log: this.log,
        what: 'the debit of an installment',
        about: ({ tenant, id }) => ({ tenant, id }),
      },
    };
    return pursue(call, work);
  }

  /** The claim of payments compares the owner of the mandate with the owner of the order. */
  private async ensureInvestor({
    tenant,
    id,
    investor_profile,
    mf_investment_account,
  }: Order): Promise<void> {
    if (investor_profile !== null) return;
    const owner = await this.accounts.findOwner(tenant, mf_investment_account);
    if (owner === null) throw new Error(`identity has no investment account of ${id}`);
    await noteInvestor(this.database, tenant, id, owner);
  }

  private async raise(row: Collected): Promise<OutsideAnswer<RaisedDebit>> {
    const { tenant, old_id, id: order_id, collection_mandate: mandate_id } = row;
    const path = '/internal/payments/debits';
    const body: RaiseDebitRequest = { tenant, mandate_id, old_id, order_id };
    const request = { method: 'POST', path, body, answer: raisedDebit, retry: true } as const;
    try {
      await this.ensureInvestor(row);
      return { kind: 'yes', value: await this.services.call('payments', request) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      return { kind: 'unknown', why: 'no_answer', detail: error.message };
    }
  }

  private async conclude(row: Collected, debit: RaisedDebit): Promise<DueResult> {
    if (debit.outcome === 'raised') {
      await this.learn.execute(row, debit);
      return 'done';
    }
    const { tenant, id } = row;
    const { code, message } = debit;
    this.log.info('an installment is not collected', { tenant, id, code, why: message });
    return (await this.learn.refused(row)) ? 'done' : 'later';
  }
}

function isCollected(row: Order): row is Collected {
  return row.collection_mandate !== null;
}
