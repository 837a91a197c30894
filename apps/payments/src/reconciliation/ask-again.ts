import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { AskProvider } from '../collection/ask-provider.ts';
import { findCollection } from '../collection/collection.repository.ts';
import { reportDebit } from '../debit/debit.ts';
import { ChangePayment } from '../payment/change-payment.ts';
import type { DueKind } from '../payment/payment.ts';
import { paymentsNamed, type NamedPayment } from './standing.repository.ts';

/** The states in which `payment.status` asks the provider. */
const OPEN: ReadonlySet<string> = new Set([
  'PENDING',
  'SUBMITTED',
  'FAILED',
] satisfies NamedPayment['status'][]);

/** Makes the query that may repair a finding, or schedules it for now, as an incomplete callback does. */
@Injectable()
export class AskAgain {
  constructor(
    private readonly db: Database,
    private readonly provider: AskProvider,
    private readonly change: ChangePayment,
  ) {}

  /**
   * Queries the payment's status at its provider. False when there is no such payment. A paid payment is asked about here, because
   * `payment.status` asks about one only where the provider has a checkout.
   */
  async aboutPayment(id: number): Promise<boolean> {
    const payment = await this.find(id);
    if (!payment) return false;
    if (payment.payment_type === 'NACH') {
      await this.change.execute(payment, (row) => reportDebit(row, {}));
      return true;
    }
    if (OPEN.has(payment.status)) return this.due(payment, 'payment.status', String(id));
    const row = await findCollection(this.db, payment.tenant, id);
    if (row) await this.provider.status(row);
    return true;
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
