import type { AdmitDebit as Asked, DebitResult } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { lockMandate } from '../mandate/mandate.repository.ts';
import { CHECK_AFTER_MS } from '../sweep/payment-sweep.repository.ts';
import { insertDebit, lockDebit, lockLiveDebit } from './debit.repository.ts';
import { decideDebit } from './debit.ts';
import { endDebitIn } from './end-debit.ts';

/** Admits a debit, under the mandate's row lock and in one transaction with its row (DEB-4). */
@Injectable()
export class AdmitDebit {
  constructor(private readonly database: Database) {}

  async execute(asked: Asked): Promise<DebitResult> {
    const result = await this.database.transaction(async (tx) => {
      const decided = await decide(tx, asked);
      await passFaultPoint('mandates.debit.before_commit');
      return decided;
    });
    await passFaultPoint('mandates.debit.committed');
    return result;
  }
}

async function decide(tx: Tx, asked: Asked): Promise<DebitResult> {
  const mandate = await lockMandate(tx, asked.tenant, asked.mandate_id);
  const own = mandate && (await lockDebit(tx, asked.tenant, asked.payment_id));
  const live = mandate && (await lockLiveDebit(tx, asked));
  const other = live?.payment_id === asked.payment_id ? null : live;
  const result = decideDebit({ mandate, own, other }, asked);
  if (result.outcome !== 'admitted' || own?.state === 'admitted') return result;
  if (other) await endDebitIn(tx, other, 'failed');
  await insertDebit(tx, asked, new Date(tx.now.getTime() + CHECK_AFTER_MS));
  return result;
}
