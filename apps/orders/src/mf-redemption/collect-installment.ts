import { ApiError, raisedDebit, type RaisedDebit, type RaiseDebitRequest } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { InvestmentAccounts } from '../investor/investment-accounts.ts';
import { passFaultPoint } from '../order/fault-points.ts';
import { ORDER_DUE } from '../order/order-due.ts';
import type { Order } from '../order/order.ts';
import { findOrder, noteInvestor } from '../order/order.repository.ts';
import { LearnCollection } from './learn-collection.ts';
import { awaitsCollection } from './mf-redemption.ts';

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
  async collect(work: DueWork): Promise<DueResult> {
    const row = await findOrder(this.database, work.tenant, 'redemption', { id: work.key });
    if (!row || !awaitsCollection(row) || row.collection_mandate === null) return 'done';
    try {
      await this.ensureInvestor(row);
      return await this.raise(row, row.collection_mandate);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      const { tenant, id } = row;
      this.log.info('no answer about the debit of an installment', { tenant, id, why: error.message });
      return 'later';
    }
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

  private async raise(row: Order, mandate_id: number): Promise<DueResult> {
    const { tenant, old_id, id: order_id } = row;
    await passFaultPoint('orders.collect.before_call');
    const debit = await this.ask({ tenant, mandate_id, old_id, order_id });
    await passFaultPoint('orders.collect.called');
    if (debit.outcome === 'raised') {
      await this.learn.execute(row, debit);
      return 'done';
    }
    const { code, message } = debit;
    this.log.info('an installment is not collected', { tenant, id: order_id, code, why: message });
    return (await this.learn.refused(row)) ? 'done' : 'later';
  }

  private ask(body: RaiseDebitRequest): Promise<RaisedDebit> {
    const path = '/internal/payments/debits';
    return this.services.call('payments', { method: 'POST', path, body, answer: raisedDebit, retry: true });
  }
}
