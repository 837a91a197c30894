import { ApiError, claimsAnswer, releaseAnswer } from '@fundrail/contracts';
import type { Claim, ClaimResult } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** What `POST /internal/claims` takes at most. */
const MOST_CLAIMS = 256;

interface Waiting {
  readonly claim: Claim;
  readonly resolve: (result: ClaimResult) => void;
  readonly reject: (error: unknown) => void;
}

/** What each claim of one call came to, in their order. */
export type SendClaims = (claims: readonly Claim[]) => Promise<readonly ClaimResult[]>;

/**
 * Sends claims that arrive together together: while one call is under way the next ones gather, and go with the following
 * call. Alone, a claim goes at once. A call that fails fails each of its claims.
 */
export class ClaimBatches {
  private readonly waiting: Waiting[] = [];
  private underWay = false;

  constructor(private readonly send: SendClaims) {}

  claim(claim: Claim): Promise<ClaimResult> {
    const result = new Promise<ClaimResult>((resolve, reject) =>
      this.waiting.push({ claim, resolve, reject }),
    );
    if (!this.underWay) void this.drain();
    return result;
  }

  private async drain(): Promise<void> {
    this.underWay = true;
    while (this.waiting.length > 0) await this.sendBatch(this.waiting.splice(0, MOST_CLAIMS));
    this.underWay = false;
  }

  private async sendBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.send(batch.map((waiting) => waiting.claim));
      batch.forEach((waiting, index) => settle(waiting, results[index]));
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}

function settle({ claim, resolve, reject }: Waiting, result: ClaimResult | undefined): void {
  if (result?.payment_id === claim.payment_id) resolve(result);
  else reject(new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1));
}

/** The claims that orders keeps (architecture §11). No answer is an `ApiError` SERVICE_UNAVAILABLE: the claim may be there. */
@Injectable()
export class OrderClaims {
  private readonly batches: ClaimBatches;

  constructor(private readonly services: ServiceClient) {
    this.batches = new ClaimBatches((claims) => this.send(claims));
  }

  claim(claim: Claim): Promise<ClaimResult> {
    return this.batches.claim(claim);
  }

  /** Frees whatever this payment holds. Only for an id that is void or whose payment is dead. */
  async release(tenant: string, payment_id: number): Promise<void> {
    const body = { tenant, payment_id };
    await this.services.call('orders', {
      method: 'POST',
      path: '/internal/claims/release',
      body,
      answer: releaseAnswer,
      retry: true,
    });
  }

  private async send(claims: readonly Claim[]): Promise<readonly ClaimResult[]> {
    const answer = await this.services.call('orders', {
      method: 'POST',
      path: '/internal/claims',
      body: { claims },
      answer: claimsAnswer,
    });
    return answer.results;
  }
}
