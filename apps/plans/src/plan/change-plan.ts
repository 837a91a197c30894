import {
  ApiError,
  consentMismatches,
  ValidationFailed,
  type ConsentInput,
  type MfRedemptionPlanDto,
  type PatchMfRedemptionPlan,
} from '@fundrail/contracts';
import { refuseEvidence, type Choice } from '@fundrail/policies';
import { Database } from '@fundrail/service-kit/db';
import { Tenants, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { InvestmentAccounts } from '../outside/investment-accounts.ts';
import { PLAN } from './plan.aggregate.ts';
import { findPlan } from './plan.repository.ts';
import { consentAndConfirm, toPlan, type Plan } from './plan.ts';

/** Records the consent of a reviewed plan, confirms it, or both in one request (PLAN-7). */
@Injectable()
export class ChangePlan {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
    private readonly tenants: Tenants,
  ) {}

  /** Throws 400 for an unknown id or a consent that is not the account's, and 409 as `recordConsent` and `confirm` document. */
  async execute(caller: Caller, patch: PatchMfRedemptionPlan): Promise<MfRedemptionPlanDto> {
    const found = await findPlan(this.database, caller.tenant, patch);
    if (!found)
      throw new ValidationFailed([{ field: 'id', message: 'is not a redemption plan of this tenant' }]);
    const mismatches = patch.consent ? await this.mismatchesOf(found, patch.consent) : [];
    const choice = patch.consent ? await this.choiceOf(caller.tenant) : null;
    const answer = await this.database.transaction(async (tx) => {
      const row = await PLAN.lock(tx, caller.tenant, patch.id);
      if (!row) throw new Error(`${patch.id} was read before and no longer exists`);
      const steps = consentAndConfirm(row, patch, tx.now);
      if (mismatches.length > 0) throw new ValidationFailed(mismatches);
      const refusal = patch.consent ? refuseEvidence(patch.consent, 'redemption', choice, tx.now) : null;
      if (refusal) throw refusal;
      await PLAN.record(tx, row, ...steps);
      const result = await caller.answer(tx, toPlan(steps.at(-1)?.row ?? row));
      await passFaultPoint('plans.change.before_commit');
      return result;
    });
    await passFaultPoint('plans.change.committed');
    return answer;
  }

  private async choiceOf(tenant: string): Promise<Choice | null> {
    return (await this.tenants.policies(tenant))['two_factor_consent'] ?? null;
  }

  /** Called before the transaction starts, because a plan's account never changes. */
  private async mismatchesOf({ tenant, mf_investment_account }: Plan, consent: ConsentInput) {
    const account = await this.accounts.find(tenant, mf_investment_account);
    if (!account) throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    return consentMismatches(consent, account.contacts);
  }
}
