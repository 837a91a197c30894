import { ApiError, claimsAnswer, releaseAnswer } from '@fundrail/contracts';
import type { Claim, ClaimResult } from '@fundrail/contracts';
import { GroupedCalls } from '@fundrail/messaging';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** What `POST /internal/claims` takes at most. */
const MOST_CLAIMS = 256;

/** The claims that orders keeps (architecture §11). No answer is an `ApiError` SERVICE_UNAVAILABLE: the claim may be there. */
@Injectable()
export class OrderClaims {
  private readonly claims: GroupedCalls<Claim, ClaimResult>;

  constructor(private readonly services: ServiceClient) {
    this.claims = new GroupedCalls((claims) => this.send(claims), MOST_CLAIMS);
  }

  claim(claim: Claim): Promise<ClaimResult> {
    return this.claims.call(claim);
  }

  /** Frees what this payment holds, or those of its orders. Whole only for an id that is void or whose payment is dead. */
  async release(tenant: string, payment_id: number, amc_order_ids?: readonly number[]): Promise<void> {
    const body = { tenant, payment_id, ...(amc_order_ids && { amc_order_ids }) };
    await this.services.call('orders', {
      method: 'POST',
      path: '/internal/claims/release',
      body,
      answer: releaseAnswer,
      retry: true,
    });
  }

  /** Claiming twice is claiming once: an order that its payment already holds is answered as claimed. */
  private async send(claims: readonly Claim[]): Promise<readonly ClaimResult[]> {
    const answer = await this.services.call('orders', {
      method: 'POST',
      path: '/internal/claims',
      body: { claims },
      answer: claimsAnswer,
      retry: true,
    });
    // Results stand in the order asked; one that does not is no answer, and its claim may be there.
    if (claims.some(({ payment_id }, index) => answer.results[index]?.payment_id !== payment_id))
      throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    return answer.results;
  }
}
