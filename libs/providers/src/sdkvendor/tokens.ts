import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderDebit, ProviderMandate } from '../mandate-ports.ts';
import type { Answer } from '../ports.ts';
import type { SdkvendorClient } from './client.ts';
import { stateOf, tokenPath } from './mandate-transform.ts';
import { token, tokens } from './mandate-wire.ts';
import type { Token } from './mandate-wire.ts';
import { answerOf, notUnderstood } from './transform.ts';
import { route } from '../route.ts';

/** What Razorpay has written down of mandates. */
export class SdkvendorTokens {
  constructor(private readonly client: SdkvendorClient) {}

  /** Null for a token that is gone: a single one that is unknown is refused like any bad question, so the list decides. */
  async of(mandate: ProviderMandate): Promise<Answer<Token | null>> {
    const answer = answerOf(await this.client.get(tokenPath(mandate)), token);
    if (answer.kind !== 'no') return answer;
    const path = route`/customers/${mandate.provider_id ?? ''}/tokens`;
    const all = answerOf(await this.client.get(path), tokens);
    if (all.kind === 'no') return notUnderstood(all.message);
    if (all.kind !== 'yes') return all;
    return all.value.items.some(({ id }) => id === mandate.mandate_token)
      ? notUnderstood(answer.message)
      : { kind: 'yes', value: null };
  }

  /**
   * Why a debit was refused. Razorpay publishes no reason for a mandate that cannot be debited (any more, or so much), so a
   * refusal asks for the token, which knows.
   */
  async explained<T>(
    refused: Answer<T, PaymentFailureCode>,
    { mandate, amount }: ProviderDebit,
  ): Promise<Answer<T, PaymentFailureCode>> {
    if (refused.kind !== 'no') return refused;
    const found = await this.of(mandate);
    if (found.kind !== 'yes') return refused;
    if (found.value === null || stateOf(found.value) !== 'active')
      return { ...refused, failure_code: 'mandate_cancelled' };
    const most = found.value.max_amount;
    return most != null && amount.toPaise() > most
      ? { ...refused, failure_code: 'mandate_limit_exceeded' }
      : refused;
  }
}
