import type { MandateTerms } from '@fundrail/contracts';
import type { Payment } from '../../payment/payment.ts';
import type { CheckoutRow } from '../collection.tables.ts';
import type { Progress } from './attempt.ts';
import type { Brand } from './brand.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import type { PayBy } from './pay-by.ts';
import type { Language, Say, TextKey } from './texts.ts';

/** Everything that a page of a running payment shows. */
export interface Checkout extends Pick<CheckoutRow, 'expires_at' | 'ending' | 'postback_url'> {
  readonly payment: Payment;
  readonly token: string;
  readonly operator: string;
  readonly brand: Brand;
  /** Whether the policy allows collect requests. */
  readonly collects: boolean;
  /** Why the amount cannot be paid by UPI, for the investor; null when it can. */
  readonly above_upi: string | null;
  /** The account that the money must come from; `code` is the provider's code of its bank, null when unknown. */
  readonly account: {
    readonly bank: string;
    readonly code: string | null;
    readonly ending: string;
  } | null;
  /** The mandate that is authorised; null for a payment. */
  readonly mandate: MandateTerms | null;
  /** Whether the authorisation of Autopay takes a rupee, which the terms state beforehand. */
  readonly chargesOneRupee: boolean;
  readonly progress: Progress;
  readonly state: string;
  /** Null where the page says nothing about the NAV. */
  readonly pay_by: PayBy | null;
  readonly now: Date;
  /** The QR code of the running UPI attempt as SVG; null without one. */
  readonly qr: string | null;
  readonly language: Language;
  readonly problem: Problem | null;
  /** Whether the page redirects to the bank by itself. */
  readonly goes: boolean;
}

/** What is wrong with the form just posted, and the value that it contained. */
export interface Problem {
  readonly key: Extract<TextKey, `error_${string}`>;
  /** The form that it belongs to. */
  readonly form: 'collect' | 'netbanking' | 'page';
  readonly given?: string;
}

/** What a part of a page is drawn from: the payment and the texts of the language. */
export interface Drawing extends Checkout {
  readonly say: Say;
  /** The amount to pay, or the maximum of one debit, as it is shown. */
  readonly amount: string;
}

/** The page's own address, without its origin. */
export function pageAddress(token: string, language: Language): string {
  return `${CHECKOUT_PATH}?${new URLSearchParams({ txnId: token, txnType: 'payment', lang: language }).toString()}`;
}

/** Whole seconds until the payment ends by itself. */
export function secondsLeft(expires_at: Date, now: Date): number {
  return Math.max(0, Math.ceil((expires_at.getTime() - now.getTime()) / 1000));
}
