import type { PaymentFailureCode } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { mayTryAgain } from '../payment/payment.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptsOf } from './attempt.repository.ts';
import { progressOf } from './attempt.ts';
import { pageAddress } from './checkout.ts';
import { CheckoutTokens } from './checkout-token.ts';
import type { Language } from './texts.ts';

/** A way to the hosted page for somebody whose attempt has failed, and why it did. */
export interface Again {
  readonly address: string;
  readonly failed: PaymentFailureCode;
}

/** Leads an investor who comes back from a bank that declined to the page where they can choose anew (decision 0012). */
@Injectable()
export class TryAgain {
  constructor(
    private readonly database: Database,
    private readonly tokens: CheckoutTokens,
  ) {}

  /** Null when the payment is over, an attempt of it still runs, or it was not tried on the page. */
  async execute(payment: Payment, language: Language): Promise<Again | null> {
    const now = await this.database.now();
    if (!mayTryAgain(payment, now)) return null;
    const progress = progressOf(await attemptsOf(this.database, payment), now);
    if (progress.kind !== 'choosing' || progress.refused === null) return null;
    const address = pageAddress(this.tokens.checkoutToken(payment.id), language);
    return { address, failed: progress.refused };
  }
}
