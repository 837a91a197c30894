import { found, type CancelledMandateDto, type EitherId } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { debitsInFlight } from '../debit/debit.repository.ts';
import { passFaultPoint } from '../fault-points.ts';
import { requestRevocation } from '../revocation/request-revocation.ts';
import { MANDATE } from './mandate.aggregate.ts';
import { findMandate } from './mandate.repository.ts';
import { cancel, toMandate } from './mandate.ts';

/**
 * Cancels the mandate here at once. After the commit no attempt of a debit is started, and the answer lists the debits with an
 * open attempt as in flight. The revocation at the provider is retried afterwards until the provider confirms it (MAN-9).
 */
@Injectable()
export class CancelMandate {
  constructor(private readonly database: Database) {}

  /** Throws 404, and `IllegalTransition` in every state except APPROVED and PAUSED. */
  async execute(caller: Caller, id: EitherId): Promise<CancelledMandateDto> {
    const known = found(await findMandate(this.database, caller.tenant, id));
    const answer = await this.database.transaction(async (tx) => {
      const row = found(await MANDATE.lock(tx, caller.tenant, known.id));
      const step = cancel(row, tx.now);
      await MANDATE.record(tx, row, step);
      await requestRevocation(tx, step.row, step.row, 'cancelled');
      const debits_in_flight = await debitsInFlight(tx, row);
      const result = await caller.answer(tx, { ...toMandate(step.row), debits_in_flight });
      await passFaultPoint('mandates.cancel.before_commit');
      return result;
    });
    await passFaultPoint('mandates.cancel.committed');
    return answer;
  }
}
