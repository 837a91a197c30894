import { istDate, type AdmitDebit as Asked, type DebitResult } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { MANDATE } from '../mandate/mandate.aggregate.ts';
import { CHECK_AFTER_MS } from '../mandate/mandate.ts';
import { decideAdmission } from './admission.ts';
import { ChangeDebits } from './change-debits.ts';
import { expectedExecution } from './debit-policy.ts';
import { findDebit, holderOf, insertDebit } from './debit.repository.ts';
import { ended } from './debit.ts';

/** Admits a debit, under the mandate's row lock and in one transaction with its row (DEB-4). */
@Injectable()
export class AdmitDebit {
  constructor(
    private readonly database: Database,
    private readonly change: ChangeDebits,
    private readonly config: MandatesConfig,
  ) {}

  async execute(asked: Asked): Promise<DebitResult> {
    const result = await this.database.transaction(async (tx) => {
      const decided = await this.decide(tx, asked);
      await passFaultPoint('mandates.debit.before_commit');
      return decided;
    });
    await passFaultPoint('mandates.debit.committed');
    return result;
  }

  private async decide(tx: Tx, asked: Asked): Promise<DebitResult> {
    const mandate = await MANDATE.lock(tx, asked.tenant, asked.mandate_id);
    if (!mandate) return decideAdmission({ mandate, own: null, holder: null, debit_date: '' }, asked);
    const own = (await findDebit(tx, asked))?.debit ?? null;
    const held = await holderOf(tx, asked);
    const holder = held === asked.payment_id ? null : held;
    const admitted = { admitted_at: tx.now, first_on: asked.first_on ?? null };
    const debit_date = istDate(expectedExecution(mandate.mandate_type, admitted, this.config.debits));
    const result = decideAdmission({ mandate, own, holder, debit_date }, asked);
    if (result.outcome !== 'admitted' || (own && own.state !== 'released')) return result;
    if (holder !== null)
      await this.change.within(tx, {
        key: { tenant: asked.tenant, payment_id: holder },
        decide: ({ debit }, now) => ended(debit, 'end', {}, now),
      });
    await insertDebit(tx, { asked, debit_date, checkAt: new Date(tx.now.getTime() + CHECK_AFTER_MS) });
    return result;
  }
}
