import type { PaymentFailureCode } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { mayTryAgain, type Collection } from '../collection.ts';
import { attemptsOf } from './attempt.repository.ts';
import { progressOf } from './attempt.ts';
import { CheckoutTokens } from './checkout-token.ts';
import { pageAddress } from './checkout.ts';
import type { Language } from './texts.ts';

/** The hosted page's address for an investor after a failed attempt, and why it failed. */
export interface Again {
  readonly address: string;
  readonly failed: PaymentFailureCode;
}

/** Leads an investor back to the page after the bank has declined, to choose again (decision 0012). */
@Injectable()
export class TryAgain {
  constructor(
    private readonly database: Database,
    private readonly tokens: CheckoutTokens,
  ) {}

  /** Null when the payment has ended, an attempt still runs, or no attempt was made on the page. */
  async execute(payment: Collection, language: Language): Promise<Again | null> {
    const now = await this.database.now();
    if (!mayTryAgain(payment, now)) return null;
    const progress = progressOf(await attemptsOf(this.database, payment), now);
    if (progress.kind !== 'choosing' || progress.refused === null) return null;
    const address = pageAddress(this.tokens.checkoutToken(payment.id), language);
    return { address, failed: progress.refused };
  }
}
