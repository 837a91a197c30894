import { Database } from '@fundrail/service-kit/db';
import type { Page } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import QRCode from 'qrcode';
import { PaymentsConfig } from '../config.ts';
import type { MandateFacts } from '@fundrail/contracts';
import { InvestorFacts } from '../outside/investor-facts.ts';
import { Mandates } from '../outside/mandates-client.ts';
import type { Payment } from '../payment/payment.ts';
import { attemptsOf } from './attempt.repository.ts';
import { progressOf, stateOf } from './attempt.ts';
import { bankName, codeOfIfscBank } from './banks.ts';
import { CheckoutTokens } from './checkout-token.ts';
import { checkoutPage } from './checkout-page.view.ts';
import { pageAddress, secondsLeft, type Checkout, type Problem } from './checkout.ts';
import { postbackPage } from './postback-page.ts';
import type { Language } from './texts.ts';

/** What the page's own script asks for: whether the page is still right, and for how long. */
export interface CheckoutStatus {
  readonly state: string;
  readonly seconds_left: number;
}

/** How the page is wanted. */
export interface Wish {
  readonly language: Language;
  readonly problem?: Problem | null;
  readonly status?: number;
  readonly goes?: boolean;
}

/** Draws a payment's page as it stands: the ways to pay, what runs, or the way back once it is over. */
@Injectable()
export class ShowCheckout {
  constructor(
    private readonly database: Database,
    private readonly facts: InvestorFacts,
    private readonly mandates: Mandates,
    private readonly tokens: CheckoutTokens,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws 503 when identity or mandates does not answer. */
  async page(
    payment: Payment,
    { language, problem = null, status = 200, goes = false }: Wish,
  ): Promise<Page> {
    const { settings, postback_secret } = await this.facts.tenant(payment.tenant);
    const operator = settings.operator_name;
    if (payment.status !== 'PENDING') {
      const token = this.tokens.checkoutToken(payment.id);
      const inLanguage = (other: Language) => pageAddress(token, other);
      return postbackPage(payment, postback_secret, { language, operator, inLanguage });
    }
    const attempts = await attemptsOf(this.database, payment);
    const now = await this.database.now();
    const progress = progressOf(attempts, this.validFrom(now));
    const checkout: Checkout = {
      payment,
      token: this.tokens.checkoutToken(payment.id),
      operator,
      collects: settings.upi_collect_enabled,
      account: await this.account(payment),
      progress,
      state: stateOf(payment, attempts, this.validFrom(now)),
      now,
      mandate: await this.mandate(payment),
      rules: this.config.debits,
      qr: progress.kind === 'choosing' && progress.uri ? await qrOf(progress.uri) : null,
      language,
      problem,
      goes,
    };
    return checkoutPage(checkout, status);
  }

  async status(payment: Payment): Promise<CheckoutStatus> {
    const attempts = await attemptsOf(this.database, payment);
    const now = await this.database.now();
    return {
      state: stateOf(payment, attempts, this.validFrom(now)),
      seconds_left: secondsLeft(payment, now),
    };
  }

  /** Everything that a page needs from elsewhere answers now. Throws 503 otherwise, before a token is used up. */
  async prepare(payment: Payment): Promise<void> {
    await this.facts.tenant(payment.tenant);
    await this.mandate(payment);
  }

  /** The mandate that the payment authorises, with the terms that the investor is shown. */
  private async mandate({ tenant, mandate_id, payment_type }: Payment): Promise<MandateFacts | null> {
    return payment_type === 'AUTH_TRANSACTION' ? this.mandates.facts(tenant, mandate_id ?? 0) : null;
  }

  /** A QR code that is older than this is not taken any more. */
  private validFrom(now: Date): Date {
    return new Date(now.getTime() - this.config.times.fromUriMs);
  }

  private async account(payment: Payment): Promise<Checkout['account']> {
    const account = await this.facts.bankAccount(payment.tenant, payment.from_bank_account_id);
    if (!account) return null;
    const code = codeOfIfscBank(account.bank_code);
    const bank = (code && bankName(code)) ?? account.bank_code;
    return { bank, code, ending: account.account_number.slice(-4) };
  }
}

function qrOf(uri: string): Promise<string> {
  return QRCode.toString(uri, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
}
