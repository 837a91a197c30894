import type { AuthorisationResult, BeginAuthorisation as Asked } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { lockMandate, takeAuthorisation } from '../mandate/mandate.repository.ts';
import { CHECK_AFTER_MS } from '../sweep/payment-sweep.repository.ts';
import { decideAuthorisation } from './authorisation.ts';

/** Makes a payment the one running authorisation of a mandate (contract §4, architecture §11). */
@Injectable()
export class BeginAuthorisation {
  constructor(private readonly database: Database) {}

  async execute(asked: Asked): Promise<AuthorisationResult> {
    const result = await this.database.transaction(async (tx) => {
      const row = await lockMandate(tx, asked.tenant, asked.mandate_id);
      const decided = decideAuthorisation(row, asked, tx.now);
      if (row && decided.outcome === 'begun' && row.authorising_payment !== asked.payment_id)
        await takeAuthorisation(tx, row, asked.payment_id, new Date(tx.now.getTime() + CHECK_AFTER_MS));
      await passFaultPoint('mandates.authorisation.before_commit');
      return decided;
    });
    await passFaultPoint('mandates.authorisation.committed');
    return result;
  }
}
