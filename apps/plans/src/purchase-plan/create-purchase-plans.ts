import {
  istDate,
  newId,
  ValidationFailed,
  type CreateMfPurchasePlan,
  type InvestmentAccountFacts,
  type MfPurchasePlanDto,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { atField, fieldOf, type Caller, type FieldPrefix } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { findKnownYears } from '../holiday/holiday.repository.ts';
import { copyOf, refuseMandate, type MandateCopy } from '../mandate/mandate-rules.ts';
import { InvestmentAccounts } from '../outside/investment-accounts.ts';
import { Mandates } from '../outside/mandates.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { drawPlanOldId } from '../plan/plan.repository.ts';
import type { Plan } from '../plan/plan.ts';
import { addMonths, scheduleFrom } from '../schedule/schedule.ts';
import { CheckConsents } from './check-consents.ts';
import { createPurchasePlan, purchasePlansOf } from './purchase-plan.ts';

/** The plans of one request. */
interface PlansAsked {
  readonly inputs: readonly CreateMfPurchasePlan[];
  readonly prefix: FieldPrefix;
}

/** The same with what they keep of their mandates, each at its place. */
interface PlansToCreate extends PlansAsked {
  readonly tenant: string;
  readonly investor_profile: string;
  readonly mandates: readonly MandateCopy[];
}

const NO_MANDATE: MandateCopy = { mandate_limit: null, mandate_seq: null };
/** The last installment is at most so many months ahead: no mandate is valid for longer (SIP-2). */
const MOST_MONTHS = 360;

/** Creates one purchase plan or a batch of one account, all or nothing (SIP-1, SIP-8). The gateway then reviews each. */
@Injectable()
export class CreatePurchasePlans {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
    private readonly mandates: Mandates,
    private readonly checkConsents: CheckConsents,
  ) {}

  /** Throws 400 with the field, 409 or 422 when a mandate cannot collect its plan, 503 when another service does not answer. */
  async execute<A>(caller: Caller, asked: PlansAsked, answer: (plans: MfPurchasePlanDto[]) => A): Promise<A> {
    const { tenant } = caller;
    const { primary_investor: investor_profile } = await this.accountOf(tenant, asked);
    const mandates: MandateCopy[] = [];
    for (const index of asked.inputs.keys())
      mandates.push(await this.mandateOf(tenant, investor_profile, asked, index));
    const created = await this.database.transaction(async (tx) => {
      const plans = await insertAll(tx, { ...asked, tenant, investor_profile, mandates });
      const result = await caller.answer(tx, answer(plans.map(purchasePlansOf(caller))));
      await passFaultPoint('plans.create.before_commit');
      return result;
    });
    await passFaultPoint('plans.create.committed');
    return created;
  }

  private async accountOf(tenant: string, { inputs, prefix }: PlansAsked): Promise<InvestmentAccountFacts> {
    const account = await this.accounts.find(tenant, inputs[0]?.mf_investment_account ?? '');
    if (!account) {
      const message = 'is not an investment account of this tenant';
      const fieldAt = (index: number) => fieldOf(prefix, index, 'mf_investment_account');
      throw new ValidationFailed(inputs.map((_, index) => ({ field: fieldAt(index), message })));
    }
    await this.checkConsents.execute(tenant, account, {
      consents: inputs.map(({ consent }) => consent),
      prefix,
    });
    return account;
  }

  /** What the plan keeps of its mandate. */
  private async mandateOf(
    tenant: string,
    investor_profile: string,
    { inputs, prefix }: PlansAsked,
    index: number,
  ): Promise<MandateCopy> {
    const input = inputs[index];
    if (!input?.payment_source) return NO_MANDATE;
    const facts = await this.mandates.find(tenant, input.payment_source);
    const now = await this.database.now();
    return atField(prefix, index, () => {
      const refusal = refuseMandate(facts, { investor_profile, amount: input.amount, now });
      if (refusal) throw refusal;
      return facts ? copyOf(facts) : NO_MANDATE;
    });
  }
}

async function insertAll(
  tx: Tx,
  { inputs, prefix, mandates, tenant, investor_profile }: PlansToCreate,
): Promise<Plan[]> {
  const known_years = await findKnownYears(tx);
  const plans: Plan[] = [];
  for (const [index, input] of inputs.entries()) {
    const refuse = (field: string, message: string) =>
      new ValidationFailed([{ field: fieldOf(prefix, index, field), message }]);
    if (endsTooLate(input, istDate(tx.now)))
      throw refuse('number_of_installments', 'must end within 30 years');
    const ids = { id: newId('purchasePlan'), old_id: await drawPlanOldId(tx) };
    const origin = { ...ids, tenant, investor_profile, known_years, now: tx.now };
    const step = createPurchasePlan(input, { ...origin, ...(mandates[index] ?? NO_MANDATE) });
    if (!(await PLAN.create(tx, step))) throw refuse('source_ref_id', 'should be unique');
    plans.push(step.row);
  }
  return plans;
}

/** A `daily` plan never does: its most installments are five years. */
function endsTooLate(
  {
    frequency,
    installment_day,
    number_of_installments,
    generate_first_installment_now,
    payment_source,
  }: CreateMfPurchasePlan,
  today: string,
): boolean {
  const terms = {
    ...({ kind: 'purchase', frequency, number_of_installments } as const),
    ...{ installment_day: installment_day ?? null, first_now: generate_first_installment_now ?? false },
    payment_source: payment_source ?? null,
  };
  return scheduleFrom(terms, today).end_date > addMonths(today, MOST_MONTHS);
}
