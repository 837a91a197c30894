import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { HeldSteps } from '../hold/held-steps.ts';
import { EndTransfer } from './end-transfer.ts';
import { SETTLE_TRANSFER } from './start-transfer.ts';

/** The money arrives at the order gateway as soon as no hold stops it. */
@Injectable()
@HandlesDue(SETTLE_TRANSFER)
export class SettleTransfer {
  constructor(
    private readonly db: Database,
    private readonly held: HeldSteps,
    private readonly endTransfer: EndTransfer,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    if (await this.held.keeps('hold_transfer', work)) return 'done';
    await this.db.transaction((tx) => this.endTransfer.execute(tx, work.key));
    return 'done';
  }
}
