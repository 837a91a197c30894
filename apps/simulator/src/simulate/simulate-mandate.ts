import { ApiError, found, startedAuthorisation, type MandateFacts } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient, type Caller } from '@fundrail/service-kit/http';
import { IllegalTransition } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { actOnMandate } from '../mandate/act-on-mandate.ts';
import { changeTerms } from '../mandate/change-terms.ts';
import { findKnownMandate } from '../mandate/known-mandates.ts';
import type { MandateRow, MandateStep } from '../mandate/mandate.ts';
import { store } from '../store/simulator.tables.ts';
import type { SimulateMandateRequest } from './simulate.dto.ts';

// Of several authorisations of one mandate, the one whose mandate is live, else the last.
const NEWEST_LIVE = `t.status IN ('active', 'paused') DESC, t.number DESC`;

const STEP_TO: Record<Exclude<SimulateMandateRequest['status'], 'MODIFIED' | 'CREATED'>, MandateStep> = {
  RECEIVED: 'receive',
  SUBMITTED: 'submit',
  APPROVED: 'approve',
  REJECTED: 'reject',
  PAUSED: 'pause',
  ACTIVE: 'resume',
  CANCELLED: 'revoke',
};

/** The steps with which an authorisation goes on or ends. */
const OF_THE_BANK: readonly SimulateMandateRequest['status'][] = [
  'RECEIVED',
  'SUBMITTED',
  'APPROVED',
  'REJECTED',
];
/** No browser opens the page of an authorisation that is simulated. */
const NO_BROWSER = 'http://localhost/';

/** Simulates a step of the investor or the bank with a mandate. An impossible step throws `IllegalTransition`. */
@Injectable()
export class SimulateMandate {
  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
  ) {}

  async execute(caller: Caller, id: number, request: SimulateMandateRequest) {
    const { status } = request;
    const answer = await this.act(caller, id, request);
    if (answer) return answer;
    const known = found(await findKnownMandate(this.services, caller.tenant, id));
    if (status === 'CREATED') {
      if (known.mandate_status !== status)
        throw new IllegalTransition('mandate', known.mandate_status, 'simulate', status);
      return this.db.transaction((tx) => caller.answer(tx, { id, status }));
    }
    if (caller.compatibility !== null && OF_THE_BANK.includes(status)) await this.authorise(known);
    return (await this.act(caller, id, request)) ?? refuseUnregistered(status);
  }

  /** Null when the provider does not have the mandate. */
  private act(caller: Caller, id: number, request: SimulateMandateRequest) {
    return this.db.transaction(async (tx) => {
      const mandate = await store.mandates.find(tx, { mandate_id: id }, NEWEST_LIVE);
      if (!mandate) return null;
      if (mandate.tenant !== caller.tenant) throw new ApiError('NOT_FOUND');
      const { status } = request;
      if (caller.compatibility === null || !isBehind(mandate, status)) await step(tx, mandate, request);
      return caller.answer(tx, { id, status });
    });
  }

  /** Starts the authorisation that a client of the upstream does not request before it simulates the bank (COMP-13). */
  private async authorise({ tenant, id: mandate_id, mandate_type }: MandateFacts): Promise<void> {
    const how = mandate_type === 'UPI' ? { upi: { type: 'uri' } } : { payment_postback_url: NO_BROWSER };
    await this.services.call('payments', {
      ...{ method: 'POST', path: '/internal/authorisations', answer: startedAuthorisation },
      // As long as payments may wait for the provider.
      timeoutMs: 10_000,
      body: { tenant, authorisation: { mandate_id, ...how } },
    });
  }
}

async function step(tx: Tx, mandate: MandateRow, request: SimulateMandateRequest): Promise<void> {
  if (request.status === 'MODIFIED') return changeTerms(tx, mandate.reference, request);
  if (request.status === 'CREATED')
    throw new IllegalTransition(`${mandate.provider} mandate`, mandate.status, 'simulate', request.status);
  return actOnMandate(tx, mandate.reference, STEP_TO[request.status]);
}

/**
 * Whether a step of the upstream changes nothing (COMP-13): a mandate that waits for its bank is beyond it, in the upstream's order of
 * the steps too, or its provider does not have it.
 */
function isBehind({ provider, status }: MandateRow, step: SimulateMandateRequest['status']): boolean {
  const isAtTheBank = status === 'received' || status === 'submitted';
  if (step === 'CREATED') return isAtTheBank || status === 'unauthorised';
  if (step === 'RECEIVED') return isAtTheBank || (provider === 'sdkvendor' && status === 'unauthorised');
  return step === 'SUBMITTED' && status === 'submitted';
}

/** 409: the mandate exists but is not registered for authorisation. */
function refuseUnregistered(status: string): never {
  throw new IllegalTransition(
    'mandate at the provider',
    'not registered: authorise it first',
    'simulate',
    status,
  );
}
