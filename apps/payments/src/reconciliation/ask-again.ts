import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import type { DueKind } from '../payment/due-task.ts';
import { paymentsNamed, type NamedPayment } from './standing.repository.ts';

/** Schedules the query that may repair a finding for now, as an incomplete callback does. */
@Injectable()
export class AskAgain {
  constructor(private readonly db: Database) {}

  /** Queries the payment's status at its provider. False when there is no such payment. */
  async aboutPayment(id: number): Promise<boolean> {
    const payment = await this.find(id);
    if (!payment) return false;
    const kind = payment.payment_type === 'NACH' ? 'debit.status' : 'payment.status';
    return this.due(payment, kind, String(id));
  }

  /** Queries the payment's transfer, or starts it when it has not started. */
  async aboutTransfer(id: number): Promise<boolean> {
    const payment = await this.find(id);
    const isOpen = payment?.status === 'SUCCESS' || payment?.status === 'INITIATED';
    return isOpen ? this.due(payment, 'payment.transfer', String(id)) : false;
  }

  async aboutRefund(tenant: string, reference: string): Promise<boolean> {
    return this.due({ tenant }, 'payment.refund', reference);
  }

  private async find(id: number): Promise<NamedPayment | null> {
    return (await paymentsNamed(this.db, [id]))[0] ?? null;
  }

  private async due({ tenant }: { readonly tenant: string }, kind: DueKind, key: string): Promise<true> {
    await this.db.transaction((tx) => scheduleDue(tx, { kind, key, tenant, due_at: tx.now }));
    return true;
  }
}
