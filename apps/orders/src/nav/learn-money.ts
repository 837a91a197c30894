import type { Tx } from '@fundrail/persistence';
import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { warnOfMissedNav } from './missed-nav.ts';
import { markPaid, type Money } from './money.repository.ts';

/** Records the times of a payment's money at its purchases. A repeated event changes nothing. */
@Injectable()
export class LearnMoney {
  constructor(private readonly log: Log) {}

  async executeIn(tx: Tx, tenant: string, money: Money): Promise<void> {
    // A payment that only authorises a mandate has none.
    if (money.amc_order_ids.length === 0) return;
    // The registrar's answer may come before this event: then this is when the difference is known.
    for (const row of await markPaid(tx, tenant, money))
      if (row.settled_before === null) warnOfMissedNav(this.log, row);
  }
}
