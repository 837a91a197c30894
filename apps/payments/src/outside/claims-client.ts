import { ApiError, claimsAnswer, giveBackAnswer, giveUpAnswer, releaseAnswer } from '@fundrail/contracts';
import type {
  Claim,
  ClaimResult,
  GiveBackAnswer,
  GiveBackRequest,
  GiveUp,
  GiveUpResult,
  releaseRequest,
} from '@fundrail/contracts';
import { GroupedCalls } from '@fundrail/messaging';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

/** The limit of `POST /internal/claims`. */
const MAX_CLAIMS = 256;
/** The limit of `POST /internal/claims/give-up`: thousands may be due at 23:00. */
const MAX_GIVE_UPS = 256;

/** The claims that orders stores (CLAIM-2). Without an answer, throws `ApiError` SERVICE_UNAVAILABLE: the claim may exist. */
@Injectable()
export class OrderClaims {
  private readonly claims: GroupedCalls<Claim, ClaimResult>;
  private readonly giveUps: GroupedCalls<GiveUp, GiveUpResult>;

  constructor(private readonly services: ServiceClient) {
    this.claims = new GroupedCalls((claims) => this.send(claims), MAX_CLAIMS);
    this.giveUps = new GroupedCalls((giveUps) => this.sendGiveUps(giveUps), MAX_GIVE_UPS);
  }

  claim(claim: Claim): Promise<ClaimResult> {
    return this.claims.call(claim);
  }

  /**
   * Asks orders before money of unconfirmed orders goes back (decision 0029). An order that is answered `given_up` can no longer be
   * confirmed under this payment. Without an answer nothing is known, and the same request may be sent again.
   */
  giveUp(asked: GiveUp): Promise<GiveUpResult> {
    return this.giveUps.call(asked);
  }

  /** Releases all orders of this payment, or those given. All of them only for a void id or a dead payment. */
  release(tenant: string, payment_id: number, amc_order_ids?: readonly number[]): Promise<void> {
    return this.sendRelease({
      tenant,
      payment_id,
      ...(amc_order_ids && { amc_order_ids: [...amc_order_ids] }),
    });
  }

  /** Releases all orders of a void id; they no longer name it afterwards. */
  releaseVoid(tenant: string, payment_id: number): Promise<void> {
    return this.sendRelease({ tenant, payment_id, never_made: true });
  }

  private async sendRelease(body: z.input<typeof releaseRequest>): Promise<void> {
    await this.services.call('orders', {
      method: 'POST',
      path: '/internal/claims/release',
      body,
      answer: releaseAnswer,
      retry: true,
    });
  }

  /** Asks whether the money collected for these installments may go back (decision 0030). Without an answer it may not. */
  giveBack(body: GiveBackRequest): Promise<GiveBackAnswer> {
    const path = '/internal/collections/give-back';
    return this.services.call('orders', { method: 'POST', path, body, answer: giveBackAnswer, retry: true });
  }

  /** Idempotent: an order that the payment already holds is answered as claimed. */
  private async send(claims: readonly Claim[]): Promise<readonly ClaimResult[]> {
    const answer = await this.services.call('orders', {
      method: 'POST',
      path: '/internal/claims',
      body: { claims },
      answer: claimsAnswer,
      retry: true,
    });
    // Results come in the order of the claims. A result in a wrong place counts as no answer: its claim may exist.
    if (claims.some(({ payment_id }, index) => answer.results[index]?.payment_id !== payment_id))
      throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    return answer.results;
  }

  private async sendGiveUps(give_ups: readonly GiveUp[]): Promise<readonly GiveUpResult[]> {
    const answer = await this.services.call('orders', {
      method: 'POST',
      path: '/internal/claims/give-up',
      body: { give_ups },
      answer: giveUpAnswer,
      retry: true,
    });
    if (give_ups.some(({ payment_id }, index) => answer.results[index]?.payment_id !== payment_id))
      throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    return answer.results;
  }
}
