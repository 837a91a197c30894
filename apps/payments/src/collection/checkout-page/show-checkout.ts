import type { MandateTerms, TenantFacts } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Page } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import QRCode from 'qrcode';
import { PaymentsConfig } from '../../config.ts';
import { InvestorFacts } from '../../outside/investor-facts.ts';
import { Mandates } from '../../outside/mandates-client.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { tenantOfPayment } from '../../payment/payment.repository.ts';
import type { Payment } from '../../payment/payment.ts';
import { findCollection } from '../collection.repository.ts';
import { checkoutOf, expiryOf, type Collection } from '../collection.ts';
import { collectRefusal, upiLimitRefusal } from '../upi/upi-policies.ts';
import { attemptsOf } from './attempt.repository.ts';
import { progressOf, stateOf } from './attempt.ts';
import { bankName, codeOfIfscBank } from './banks.ts';
import { brandOf } from './brand.ts';
import { checkoutPage } from './checkout-page.view.ts';
import { CheckoutTokens } from './checkout-token.ts';
import { pageAddress, secondsLeft, type Checkout, type Problem } from './checkout.ts';
import type { AppOfPayment } from './closed-page.view.ts';
import { payByOf } from './pay-by.ts';
import { postbackPage } from './postback-page.ts';
import { postableOf } from './postback.ts';
import type { Language } from './texts.ts';
import type { Visitor } from './visitor.ts';

/** What the page's script fetches: the current state, and the time left. */
export interface CheckoutStatus {
  readonly state: string;
  readonly seconds_left: number;
}

/** How the page is shown. */
interface PageOptions {
  readonly visitor: Visitor;
  readonly problem?: Problem | null;
  readonly status?: number;
  readonly goes?: boolean;
}

/** Renders a payment's page: the ways to pay, the running attempt, or the page that leads back to the client once it has ended. */
@Injectable()
export class ShowCheckout {
  constructor(
    private readonly database: Database,
    private readonly facts: InvestorFacts,
    private readonly mandates: Mandates,
    private readonly providers: PaymentProviders,
    private readonly tokens: CheckoutTokens,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws 503 when identity or mandates does not answer. */
  async page(
    payment: Collection,
    { visitor, problem = null, status = 200, goes = false }: PageOptions,
  ): Promise<Page> {
    const { language } = visitor;
    const checkoutRow = checkoutOf(payment);
    if (!checkoutRow) throw new Error(`payment ${payment.id} has no page`);
    const tenant = await this.facts.tenant(payment.tenant);
    const { settings, postback_secret } = tenant;
    const brand = brandOf(tenant);
    if (payment.status !== 'PENDING') {
      const token = this.tokens.checkoutToken(payment.id);
      const inLanguage = (other: Language) => pageAddress(token, other);
      const stays = isLongOver(payment, await this.database.now());
      const options = { language, brand, inLanguage, holidays: this.config.holidays, stays };
      return postbackPage(postableOf(payment, settings.compatibility), postback_secret, options);
    }
    const attempts = await attemptsOf(this.database, payment);
    const now = await this.database.now();
    const progress = progressOf(attempts, this.validFrom(now));
    const source = { db: this.database, times: this.config.times };
    const refusal = await upiLimitRefusal(source, payment, settings, now);
    const { expires_at, ending, postback_url } = checkoutRow;
    const checkout: Checkout = {
      ...{ payment, expires_at, ending, postback_url },
      token: this.tokens.checkoutToken(payment.id),
      operator: brand.operator,
      brand,
      collects: collectRefusal(settings, visitor.browser, now) === null,
      above_upi: refusal?.policy?.investor[language] ?? null,
      account: await this.account(payment),
      progress,
      state: stateOf(payment, attempts, this.validFrom(now)),
      pay_by: payByOf(payment, now, this.config.holidays),
      now,
      mandate: await this.mandate(payment),
      chargesOneRupee: this.providers.of(payment.provider_name).mandates?.chargesOneRupee === true,
      qr: progress.kind === 'choosing' && progress.uri ? await qrOf(progress.uri) : null,
      language,
      problem,
      goes,
    };
    return checkoutPage(checkout, status);
  }

  async status(payment: Collection): Promise<CheckoutStatus> {
    const attempts = await attemptsOf(this.database, payment);
    const now = await this.database.now();
    return {
      state: stateOf(payment, attempts, this.validFrom(now)),
      seconds_left: secondsLeft(expiryOf(payment), now),
    };
  }

  /** The app of a payment, for an investor with a closed link. Null for an id without a payment. */
  async appOf(id: number): Promise<AppOfPayment | null> {
    const name = await tenantOfPayment(this.database, id);
    const payment = name === null ? null : await findCollection(this.database, name, id);
    const checkout = payment && checkoutOf(payment);
    if (!checkout) return null;
    const address = `${new URL(checkout.postback_url).origin}/`;
    // Without identity the link leads back too, only without the app's name. That is better than a 503.
    const tenant = await this.facts.tenant(checkout.tenant).catch(() => null);
    return { address, name: tenant && brandOf(tenant).app };
  }

  /** Fetches what the page needs from other services, and returns the tenant. Throws 503 when one does not answer, before the token is used up. */
  async prepare(payment: Payment): Promise<TenantFacts> {
    await this.mandate(payment);
    return this.facts.tenant(payment.tenant);
  }

  /** The mandate that the payment authorises, with the terms that the page shows. */
  private async mandate({ tenant, mandate_id, payment_type }: Payment): Promise<MandateTerms | null> {
    return payment_type === 'AUTH_TRANSACTION' ? this.mandates.facts(tenant, mandate_id ?? 0) : null;
  }

  /** An older QR code is no longer accepted. */
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

// Longer than it takes to come back from a bank or a UPI app. An investor who opens the link later wants the receipt.
const RECEIPT_AFTER_MS = 120_000;

/** Whether the payment ended so long ago that its page is a receipt, and does not redirect by itself. */
function isLongOver({ debit_confirmed_at, failed_at, submitted_at }: Payment, now: Date): boolean {
  const ended = failed_at ?? debit_confirmed_at ?? submitted_at;
  return ended !== null && now.getTime() - ended.getTime() > RECEIPT_AFTER_MS;
}

function qrOf(uri: string): Promise<string> {
  return QRCode.toString(uri, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
}
