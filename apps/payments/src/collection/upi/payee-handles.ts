import { isValidatedHandle, parametersFor, reportJudged } from '@fundrail/policies';
import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { InvestorFacts } from '../../outside/investor-facts.ts';

/** The UPI ID that a URI pays, or whose mandate it asks for; empty unless it names exactly one. */
export function payeeOf(uri: string): string {
  const [payee = '', ...others] = new URLSearchParams(uri.slice(uri.indexOf('?') + 1)).getAll('pa');
  return others.length === 0 ? payee : '';
}

/** Checks by the policy `validated_upi_handle` whom the URIs of providers pay (FLOW-16). */
@Injectable()
export class PayeeHandles {
  constructor(
    private readonly facts: InvestorFacts,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /**
   * The answer as it is. Where the tenant's choice requires a validated handle and the URI pays another UPI ID, it is not understood, so
   * the URI is not shown. Each judgement is counted (POL-8). Throws 503 when identity does not answer.
   */
  async checked<T extends { readonly uri: string }, F extends string>(
    tenant: string,
    answer: Answer<T, F>,
  ): Promise<Answer<T, F>> {
    if (answer.kind !== 'yes') return answer;
    const policy = 'validated_upi_handle';
    const { settings } = await this.facts.tenant(tenant);
    const rule = parametersFor(policy, await this.database.now(), settings.policies[policy] ?? null);
    if (rule === null || rule.mode === 'off') return answer;
    const isValidated = isValidatedHandle(payeeOf(answer.value.uri), rule.suffixes);
    reportJudged(policy, isValidated ? 'allowed' : 'refused');
    if (isValidated) return answer;
    this.log.warn('the provider collects at a UPI ID that is no validated handle', {
      tenant,
      mode: rule.mode,
    });
    if (rule.mode !== 'require') return answer;
    return { kind: 'unknown', why: 'not_understood', detail: 'the URI pays no validated UPI handle' };
  }
}
