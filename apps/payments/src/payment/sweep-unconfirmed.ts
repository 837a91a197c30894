import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { ChangePayment } from './change-payment.ts';
import { orderStates } from './order-state.repository.ts';
import { sweepUnconfirmed } from './sweep.ts';

/** `payment.sweep`: paid before all its orders were submitted, and the day ends (contract §10 "Payments"). */
@Injectable()
@HandlesDue('payment.sweep')
export class SweepUnconfirmed implements DueHandler {
  readonly kind = 'payment.sweep';

  constructor(private readonly change: ChangePayment) {}

  async handle(work: DueWork): Promise<DueResult> {
    await this.change.execute({ tenant: work.tenant, id: Number(work.key) }, async (row, tx) =>
      sweepUnconfirmed(row, await orderStates(tx, row), tx.now),
    );
    await passFaultPoint('payments.swept');
    return 'done';
  }
}
