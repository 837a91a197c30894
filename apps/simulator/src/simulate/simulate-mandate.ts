import { ApiError } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient, type Caller } from '@fundrail/service-kit/http';
import { IllegalTransition } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { actOnMandate } from '../mandate/act-on-mandate.ts';
import { changeTerms } from '../mandate/change-terms.ts';
import { isKnownMandate } from '../mandate/known-mandates.ts';
import type { MandateStep } from '../mandate/mandate.ts';
import { store } from '../store/simulator.tables.ts';
import type { SimulateMandateRequest } from './simulate.dto.ts';

// Of several authorisations of one mandate, the one whose mandate is live, else the last.
const NEWEST_LIVE = `t.status IN ('active', 'paused') DESC, t.number DESC`;

const STEP_TO: Record<Exclude<SimulateMandateRequest['status'], 'MODIFIED'>, MandateStep> = {
  RECEIVED: 'receive',
  SUBMITTED: 'submit',
  APPROVED: 'approve',
  REJECTED: 'reject',
  PAUSED: 'pause',
  ACTIVE: 'resume',
  CANCELLED: 'revoke',
};

/** Simulates a step of the investor or the bank with a mandate. An impossible step throws `IllegalTransition`. */
@Injectable()
export class SimulateMandate {
  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
  ) {}

  async execute(caller: Caller, id: number, request: SimulateMandateRequest) {
    const { status } = request;
    const answer = await this.db.transaction(async (tx) => {
      const mandate = await store.mandates.find(tx, { mandate_id: id }, NEWEST_LIVE);
      if (!mandate) return null;
      if (mandate.tenant !== caller.tenant) throw new ApiError('NOT_FOUND');
      if (request.status === 'MODIFIED') await changeTerms(tx, mandate.reference, request);
      else await actOnMandate(tx, mandate.reference, STEP_TO[request.status]);
      return caller.answer(tx, { id, status });
    });
    return answer ?? this.refuseUnregistered(caller.tenant, id, status);
  }

  /** The provider does not have the mandate: 409 when it exists but is not registered for authorisation, else 404. */
  private async refuseUnregistered(tenant: string, id: number, status: string): Promise<never> {
    if (!(await isKnownMandate(this.services, tenant, id))) throw new ApiError('NOT_FOUND');
    throw new IllegalTransition(
      'mandate at the provider',
      'not registered: authorise it first',
      'simulate',
      status,
    );
  }
}
