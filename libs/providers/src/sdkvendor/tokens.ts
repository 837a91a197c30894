import type { PaymentFailureCode } from '@fundrail/contracts';
import type { ProviderDebit, ProviderMandate } from '../mandate-ports.ts';
import { notUnderstood, type Answer } from '../answer.ts';
import type { SdkvendorClient } from './client.ts';
import { stateOf, tokenPath } from './mandate-transform.ts';
import { token, tokens, type Token } from './mandate-wire.ts';
import { answerOf } from './transform.ts';
import { route } from '../route.ts';

/** Razorpay's records of mandates. */
export class SdkvendorTokens {
  constructor(private readonly client: SdkvendorClient) {}

  /** Null for a token that no longer exists. A request for one unknown token is refused like any bad request, so the list decides. */
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
   * Why a debit was refused. Razorpay publishes no reason for a mandate that has ended or whose limit is too low, so after a
   * refusal the token is requested, which shows the reason.
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
