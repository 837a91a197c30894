import {
  ApiError,
  ValidationFailed,
  type FieldError,
  type MfPurchasePlanDto,
  type PatchMfPurchasePlan,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { atField, fieldOf, type Caller, type FieldPrefix } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { copyOf, refuseMandate } from '../mandate/mandate-rules.ts';
import { InvestmentAccounts } from '../outside/investment-accounts.ts';
import { Mandates } from '../outside/mandates.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { findPlan } from '../plan/plan.repository.ts';
import type { Plan } from '../plan/plan.ts';
import { CheckConsents } from './check-consents.ts';
import { changesOf, type ChosenMandate } from './changes.ts';
import { purchasePlansOf, stepUpTerms } from './purchase-plan.ts';

/** The changes of one request. */
interface ChangesAsked {
  readonly patches: readonly PatchMfPurchasePlan[];
  readonly prefix: FieldPrefix;
}

/** One of them, with the mandate that it chooses. */
interface Change {
  readonly patch: PatchMfPurchasePlan;
  readonly mandate: ChosenMandate | null;
}

/** Records the consent of purchase plans, confirms them, or changes their terms: one plan, or a batch of one account (SIP-8, SIP-9). */
@Injectable()
export class ChangePurchasePlans {
  constructor(
    private readonly database: Database,
    private readonly accounts: InvestmentAccounts,
    private readonly mandates: Mandates,
    private readonly checkConsents: CheckConsents,
  ) {}

  /** Throws 400 for an unknown id or a consent that is not the account's, and what `changesOf` and `refuseMandate` document. */
  async execute<A>(
    caller: Caller,
    asked: ChangesAsked,
    answer: (plans: MfPurchasePlanDto[]) => A,
  ): Promise<A> {
    const { tenant } = caller;
    const rows = await this.rowsOf(tenant, asked);
    await this.consentsOf(rows, asked);
    const changes: Change[] = [];
    for (const [index, patch] of asked.patches.entries())
      changes.push({ patch, mandate: await this.mandateOf(rows[index], asked, index) });
    const changed = await this.database.transaction(async (tx) => {
      const plans = await changeAll(tx, tenant, changes, asked.prefix);
      const result = await caller.answer(tx, answer(plans.map(purchasePlansOf(caller))));
      await passFaultPoint('plans.change.before_commit');
      return result;
    });
    await passFaultPoint('plans.change.committed');
    return changed;
  }

  /** The plans as they are now. Throws 400 for the ids that are not the tenant's, and for plans of another account. */
  private async rowsOf(tenant: string, { patches, prefix }: ChangesAsked): Promise<Plan[]> {
    const rows: Plan[] = [];
    const faults: FieldError[] = [];
    for (const [index, patch] of patches.entries()) {
      const row = await findPlan(this.database, tenant, patch);
      const field = fieldOf(prefix, index, 'id');
      if (!row) faults.push({ field, message: 'is not a purchase plan of this tenant' });
      else rows.push(row);
      if (row && row.mf_investment_account !== rows[0]?.mf_investment_account)
        faults.push({ field, message: 'must be of the same investment account' });
    }
    if (faults.length > 0) throw new ValidationFailed(faults);
    return rows;
  }

  /** Called before the transaction starts, because a plan's account never changes. */
  private async consentsOf([first]: readonly Plan[], { patches, prefix }: ChangesAsked): Promise<void> {
    const consents = patches.map(({ consent }) => consent);
    if (!first || consents.every((consent) => !consent)) return;
    const account = await this.accounts.find(first.tenant, first.mf_investment_account);
    if (!account) throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    await this.checkConsents.execute(first.tenant, account, { consents, prefix });
  }

  private async mandateOf(
    row: Plan | undefined,
    { patches, prefix }: ChangesAsked,
    index: number,
  ): Promise<ChosenMandate | null> {
    const payment_source = patches[index]?.payment_source;
    if (!row || payment_source === undefined) return null;
    const facts = await this.mandates.find(row.tenant, payment_source);
    const now = await this.database.now();
    return atField(prefix, index, () => {
      const { amount } = stepUpTerms(row);
      const refusal = refuseMandate(facts, { investor_profile: row.investor_profile, amount, now });
      if (refusal) throw refusal;
      return facts && { payment_source, ...copyOf(facts) };
    });
  }
}

async function changeAll(
  tx: Tx,
  tenant: string,
  changes: readonly Change[],
  prefix: FieldPrefix,
): Promise<Plan[]> {
  const locked = new Map<string, Plan | null>();
  // In the order of the ids, as in every transaction that locks several plans.
  for (const id of changes.map(({ patch }) => patch.id).sort())
    locked.set(id, await PLAN.lock(tx, tenant, id));
  const decided = changes.map(({ patch, mandate }, index) => {
    const before = locked.get(patch.id);
    if (!before) throw new Error(`${patch.id} was read before and no longer exists`);
    return { before, steps: atField(prefix, index, () => changesOf(before, patch, mandate, tx.now)) };
  });
  await PLAN.recordAll(tx, decided);
  return decided.map(({ before, steps }) => steps.at(-1)?.row ?? before);
}
