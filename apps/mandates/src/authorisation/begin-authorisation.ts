import type { AuthorisationResult, BeginAuthorisation as Asked } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { MANDATE } from '../mandate/mandate.aggregate.ts';
import { freeAuthorisation, takeAuthorisation } from '../mandate/mandate.repository.ts';
import { CHECK_AFTER_MS } from '../mandate/mandate.ts';
import { decideAuthorisation } from './authorisation.ts';

/** Makes a payment the one running authorisation of a mandate, and releases it (MAN-17, CLAIM-2). */
@Injectable()
export class BeginAuthorisation {
  constructor(private readonly database: Database) {}

  async execute(asked: Asked): Promise<AuthorisationResult> {
    const result = await this.database.transaction(async (tx) => {
      const row = await MANDATE.lock(tx, asked.tenant, asked.mandate_id);
      const decided = decideAuthorisation(row, asked, tx.now);
      if (row && decided.outcome === 'begun' && row.authorising_payment !== asked.payment_id)
        await takeAuthorisation(tx, row, asked.payment_id, new Date(tx.now.getTime() + CHECK_AFTER_MS));
      await passFaultPoint('mandates.authorisation.before_commit');
      return decided;
    });
    await passFaultPoint('mandates.authorisation.committed');
    return result;
  }

  /** Returns false when the payment is not the running authorisation. */
  release(tenant: string, mandate_id: number, payment_id: number): Promise<boolean> {
    return freeAuthorisation(this.database, tenant, mandate_id, payment_id);
  }
}
