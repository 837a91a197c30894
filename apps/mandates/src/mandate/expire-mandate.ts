import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { MANDATE } from './mandate.aggregate.ts';
import { expireWhenDue, MANDATE_DUE } from './mandate.ts';

/** `mandate.expire`: `valid_to` has passed, at 00:00 IST of the next day. The provider ends the mandate by the same date. */
@Injectable()
export class ExpireMandate {
  constructor(private readonly database: Database) {}

  @HandlesDue(MANDATE_DUE.expire)
  handle(work: DueWork): Promise<DueResult> {
    return this.database.transaction<DueResult>(async (tx) => {
      const row = await MANDATE.lock(tx, work.tenant, Number(work.key));
      const step = row && expireWhenDue(row, tx.now);
      if (step) await MANDATE.record(tx, row, step);
      await passFaultPoint('mandates.expire.before_commit');
      return 'done';
    });
  }
}
