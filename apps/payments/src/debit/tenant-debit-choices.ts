import { debitDay, type DebitDay } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { InvestorFacts } from '../outside/investor-facts.ts';
import { DebitChoices } from './raise-debit.ts';

/** The choices as identity has them. */
@Injectable()
export class TenantDebitChoices extends DebitChoices {
  constructor(
    private readonly facts: InvestorFacts,
    private readonly log: Log,
  ) {
    super();
  }

  /** Without an answer of identity it is null too, with a warning: a debit on a business day is always allowed (DEB-12). */
  async firstOn(tenant: string): Promise<DebitDay | null> {
    const facts = await this.facts.tenant(tenant).catch((error: unknown) => {
      const why = String(error);
      this.log.warn('an e-mandate is debited on a business day: its tenant was not read', { tenant, why });
      return null;
    });
    return debitDay.safeParse(facts?.settings.policies['nach_debit_days']?.['first_on']).data ?? null;
  }
}
