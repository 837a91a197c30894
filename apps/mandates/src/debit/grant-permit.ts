import type { ClosePermit, PermitResult, TakePermit } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { lockMandate } from '../mandate/mandate.repository.ts';
import { lockDebit } from './debit.repository.ts';
import { decidePermit } from './debit.ts';
import { closeOnePermit, isPermitOpen, openPermit } from './permit.repository.ts';

/**
 * Leave for one provider call, under the mandate's row lock: whoever cancels or pauses comes before it, and it is refused, or
 * after it, and is told of it (contract §4).
 */
@Injectable()
export class GrantPermit {
  constructor(private readonly database: Database) {}

  async execute(asked: TakePermit): Promise<PermitResult> {
    const result = await this.database.transaction(async (tx) => {
      const mandate = await lockMandate(tx, asked.tenant, asked.mandate_id);
      const debit = await lockDebit(tx, asked.tenant, asked.payment_id);
      const isOpen = await isPermitOpen(tx, asked);
      const decided = decidePermit({ mandate, debit, isOpen }, asked, tx.now);
      if (decided.outcome === 'granted' && !isOpen) await openPermit(tx, asked);
      await passFaultPoint('mandates.permit.before_commit');
      return decided;
    });
    await passFaultPoint('mandates.permit.committed');
    return result;
  }

  /** The call's outcome is recorded at payments. Answers whether the permit was open. */
  async close(permit: ClosePermit): Promise<boolean> {
    return closeOnePermit(this.database, permit, await this.database.now());
  }
}
