import type { ClosePermit, PermitOfMany, PermitResult, TakePermit } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { lockMandates } from '../mandate/mandate.repository.ts';
import { lockDebits } from './debit.repository.ts';
import { decidePermit } from './debit.ts';
import { closeOnePermit, openPermits, openPermitsOf, permitName } from './permit.repository.ts';

/**
 * Grants permits for provider calls, each under its mandate's row lock. A cancel or pause comes either before a permit, which is
 * then refused, or after it, and then its answer lists the debit as in flight (DEB-5). Permits of one request are decided one by
 * one and committed together.
 */
@Injectable()
export class GrantPermit {
  constructor(private readonly database: Database) {}

  async execute(asked: TakePermit): Promise<PermitResult> {
    const [result] = await this.decide([asked]);
    if (!result) throw new Error('every requested permit must have a result');
    return result;
  }

  /** The results are in the order of the request. */
  async executeAll(asked: readonly TakePermit[]): Promise<PermitOfMany[]> {
    const results = await this.decide(asked);
    return results.map((result, index) => withoutFacts(asked[index]?.payment_id ?? 0, result));
  }

  /** Payments has recorded the call's outcome. Returns whether the permit was open. */
  async close(permit: ClosePermit): Promise<boolean> {
    return closeOnePermit(this.database, permit, await this.database.now());
  }

  private async decide(asked: readonly TakePermit[]): Promise<PermitResult[]> {
    const results = await this.database.transaction(async (tx) => {
      const mandates = await lockMandates(
        tx,
        asked.map(({ tenant, mandate_id }) => ({ tenant, id: mandate_id })),
      );
      const debits = await lockDebits(tx, asked);
      const open = await openPermitsOf(tx, asked);
      const decided = asked.map((one) => {
        const mandate = mandates.get(one.mandate_id) ?? null;
        const debit = debits.get(one.payment_id) ?? null;
        const isOpen = open.has(permitName(one));
        return decidePermit({ mandate, debit, isOpen }, one, tx.now);
      });
      const granted = asked.filter((_, index) => decided[index]?.outcome === 'granted');
      await openPermits(
        tx,
        granted.filter((one) => !open.has(permitName(one))),
      );
      await passFaultPoint('mandates.permit.before_commit');
      return decided;
    });
    await passFaultPoint('mandates.permit.committed');
    return results;
  }
}

function withoutFacts(payment_id: number, result: PermitResult): PermitOfMany {
  if (result.outcome !== 'granted') return { ...result, payment_id };
  return { payment_id, outcome: 'granted' };
}
