import {
  consentMismatches,
  newId,
  ValidationFailed,
  type ConsentInput,
  type CreateMfRedemptionPlan,
  type InvestmentAccountFacts,
  type MfRedemptionPlanDto,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { judge, refuseEvidence } from '@fundrail/policies';
import { Database } from '@fundrail/service-kit/db';
import { Tenants, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { findKnownYears } from '../holiday/holiday.repository.ts';
import { refuseMandate } from '../mandate/mandate-rules.ts';
import { InvestmentAccounts } from '../outside/investment-accounts.ts';
import { Mandates } from '../outside/mandates.ts';
import { PLAN } from './plan.aggregate.ts';
import { drawPlanOldId } from './plan.repository.ts';
import { createPlan, toPlan } from './plan.ts';

/** Creates a plan for one of the tenant's investment accounts (PLAN-1). The gateway then reviews it. */
@Injectable()
export class CreatePlan {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
    private readonly mandates: Mandates,
    private readonly tenants: Tenants,
  ) {}

  /** Throws 400 with the field, 409 or 422 when the mandate cannot collect the plan, 503 when another service does not answer. */
  async execute(caller: Caller, input: CreateMfRedemptionPlan): Promise<MfRedemptionPlanDto> {
    const account = await this.accountOf(caller.tenant, input);
    if (input.consent) await this.checkEvidence(caller.tenant, input.consent);
    await this.checkMandate(caller.tenant, input, account.primary_investor);
    const answer = await this.database.transaction(async (tx) => {
      const plan = await take(tx, caller.tenant, input, account);
      const result = await caller.answer(tx, plan);
      await passFaultPoint('plans.create.before_commit');
      return result;
    });
    await passFaultPoint('plans.create.committed');
    return answer;
  }

  private async accountOf(tenant: string, input: CreateMfRedemptionPlan): Promise<InvestmentAccountFacts> {
    const account = await this.accounts.find(tenant, input.mf_investment_account);
    if (!account)
      throw new ValidationFailed([
        { field: 'mf_investment_account', message: 'is not an investment account of this tenant' },
      ]);
    const mismatches = input.consent ? consentMismatches(input.consent, account.contacts) : [];
    if (mismatches.length > 0) throw new ValidationFailed(mismatches);
    return account;
  }

  private async checkEvidence(tenant: string, consent: ConsentInput): Promise<void> {
    const { two_factor_consent: choice = null } = await this.tenants.policies(tenant);
    const refusal = refuseEvidence(consent, 'redemption', choice, await this.database.now());
    if (refusal) throw refusal;
  }

  private async checkMandate(
    tenant: string,
    { payment_source, amount }: CreateMfRedemptionPlan,
    investor_profile: string,
  ): Promise<void> {
    if (!payment_source || !amount) return;
    const name = 'mandate_subscriptions_only';
    const { [name]: choice = null } = await this.tenants.policies(tenant);
    const now = await this.database.now();
    const forbidden = judge(name, now, choice, { by_mandate: true });
    if (forbidden) throw forbidden;
    const facts = await this.mandates.find(tenant, payment_source);
    const refusal = refuseMandate(facts, { investor_profile, amount, now });
    if (refusal) throw refusal;
  }
}

async function take(
  tx: Tx,
  tenant: string,
  input: CreateMfRedemptionPlan,
  { primary_investor: investor_profile }: InvestmentAccountFacts,
): Promise<MfRedemptionPlanDto> {
  const ids = { id: newId('redemptionPlan'), old_id: await drawPlanOldId(tx) };
  const known_years = await findKnownYears(tx);
  const step = createPlan(input, { ...ids, tenant, investor_profile, known_years, now: tx.now });
  if (!(await PLAN.create(tx, step)))
    throw new ValidationFailed([{ field: 'source_ref_id', message: 'should be unique' }]);
  return toPlan(step.row);
}
