import { debitDay, type DebitDay } from '@fundrail/contracts';
import { Injectable } from '@nestjs/common';
import { InvestorFacts } from '../outside/investor-facts.ts';
import { DebitChoices } from './raise-debit.ts';

/** The choices as identity has them. */
@Injectable()
export class TenantDebitChoices extends DebitChoices {
  constructor(private readonly facts: InvestorFacts) {
    super();
  }

  /** Without an answer of identity it is null too: a debit on a business day is always allowed. */
  async firstOn(tenant: string): Promise<DebitDay | null> {
    const facts = await this.facts.tenant(tenant).catch(() => null);
    return debitDay.safeParse(facts?.settings.policies['nach_debit_days']?.['first_on']).data ?? null;
  }
}
