import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Mandates } from '../outside/mandates-client.ts';
import { ChangePayment, type PaymentKey } from '../payment/change-payment.ts';
import { findPayment } from '../payment/payment.repository.ts';
import { debitCancelled } from './debit.ts';

/** How long the end that mandates has recorded may take to arrive as an event. After that the client tries again. */
const EVENT_MS = 3_000;
const POLL_MS = 50;

/** Cancels a PENDING debit for the client. Mandates queries the status of an open attempt first: money that it took counts. */
@Injectable()
export class CancelDebit {
  constructor(
    private readonly mandates: Mandates,
    private readonly change: ChangePayment,
    private readonly database: Database,
  ) {}

  /**
   * `ended`: it has ended or is no longer PENDING; `silent`: an attempt is open without a known result, and the debit does not change.
   * Throws 503 when mandates does not answer.
   */
  async execute({ tenant, id }: PaymentKey): Promise<'ended' | 'silent'> {
    const outcome = await this.mandates.cancelDebit({ tenant, payment_id: id });
    if (outcome === 'cancelled')
      await this.change.execute({ tenant, id }, (payment, { now }) => debitCancelled(payment, now));
    const isOver = outcome === 'cancelled' || (await this.isOver({ tenant, id }));
    return isOver ? 'ended' : 'silent';
  }

  /** Waits for the event of what mandates has recorded: an accepted attempt, or the end. */
  private async isOver({ tenant, id }: PaymentKey): Promise<boolean> {
    for (let waited = 0; waited <= EVENT_MS; waited += POLL_MS) {
      const payment = await findPayment(this.database, tenant, id);
      if (payment?.status !== 'PENDING') return true;
      await pause(POLL_MS);
    }
    return false;
  }
}
