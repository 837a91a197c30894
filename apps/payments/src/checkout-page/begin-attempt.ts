import { ApiError } from '@fundrail/contracts';
import type { PaymentFailureCode } from '@fundrail/contracts';
import type { Answer, ProviderCheckout, ProviderPayment } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { OpenCheckout } from '../payment/open-checkout.ts';
import type { Payment } from '../payment/payment.ts';
import { ProviderPayments } from '../payment/provider-payments.ts';
import { paymentReference } from '../payment/references.ts';
import { upiUriFault } from '../payment/upi-uri.ts';
import type { Way } from './attempt.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import { RecordAttempt, type Begun, type Choice, type Started } from './record-attempt.ts';
import type { Visitor } from './visitor.ts';

/** A provider's order to begin under, and what it takes to begin. */
interface Under {
  readonly checkout: ProviderCheckout;
  /** The reference that an intent has to carry; null where the provider draws it. */
  readonly tr: string | null;
  readonly asked: ProviderPayment;
  readonly order_id: string;
}

/** Begins to pay at the provider, in the way that the investor chose: the intent, the call outside any transaction, the outcome. */
@Injectable()
export class BeginAttempt {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly open: OpenCheckout,
    private readonly toProvider: ProviderPayments,
    private readonly record: RecordAttempt,
    private readonly config: PaymentsConfig,
  ) {}

  async execute(payment: Payment, choice: Choice, visitor: Visitor): Promise<Begun> {
    const attempt = await this.record.intend(payment, choice);
    if (typeof attempt === 'string') return attempt;
    const under = await orNull(this.under(payment, choice.way, visitor));
    if (!under) return this.record.silent(attempt, false);
    return this.record.conclude(attempt, await this.start(under, choice, visitor));
  }

  /** Null when the provider opened no order: nothing was begun there. */
  private async under(payment: Payment, way: Way, { browser }: Visitor): Promise<Under | null> {
    const { checkout, drawsTr } = this.providers.of(payment.provider_name);
    if (!checkout) throw new Error(`${payment.provider_name} has no checkout`);
    const opened = await this.open.execute(payment);
    if (opened?.checkout_order_id == null) return null;
    const asked = await this.toProvider.of(opened, this.withinMs(way));
    const tr = drawsTr ? null : paymentReference(payment.id);
    return { checkout, tr, asked: { ...asked, browser }, order_id: opened.checkout_order_id };
  }

  private withinMs(way: Way): number {
    const { fromUriMs, fromCollectMs, fromCreationMs } = this.config.times;
    return { intent: fromUriMs, collect: fromCollectMs, netbanking: fromCreationMs }[way];
  }

  private async start(under: Under, choice: Choice, { language }: Visitor): Promise<Started> {
    const { checkout, asked, order_id } = under;
    const order = { order_id };
    switch (choice.way) {
      case 'intent': {
        const answer = await checkout.startUpiIntent(asked, order);
        return addressed(
          answer,
          ({ uri }) => uri,
          (uri) => upiUriFault(uri, { tr: under.tr, amount: asked.amount }),
        );
      }
      case 'collect':
        return addressed(await checkout.startUpiCollect(asked, order, choice.vpa), () => null);
      case 'netbanking': {
        const back = `${this.config.publicBaseUrl}${CHECKOUT_PATH}/capture/${asked.payment_id}?lang=${language}`;
        const answer = await checkout.startNetbanking(asked, order, choice.bank, back);
        return addressed(
          answer,
          ({ redirect_url }) => redirect_url,
          (url) => this.bankUrlFault(url),
        );
      }
      default:
        return choice satisfies never;
    }
  }

  /** The investor is sent to https, and to plain http only in the sandbox. */
  private bankUrlFault(url: string): string | null {
    const allowed = this.config.sandbox ? /^https?:$/ : /^https:$/;
    return allowed.test(URL.parse(url)?.protocol ?? '') ? null : 'is no address of a bank';
  }
}

/** Null when a neighbour does not answer: who has opened the page keeps it, and begins again. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return null;
    throw error;
  }
}

/** The address in an answer, when it is one to send the investor to. */
function addressed<T>(
  answer: Answer<T, PaymentFailureCode>,
  addressOf: (value: T) => string | null,
  faultOf: (address: string) => string | null = () => null,
): Started {
  if (answer.kind !== 'yes') return answer;
  const address = addressOf(answer.value);
  const fault = address === null ? null : faultOf(address);
  if (fault === null) return { kind: 'yes', value: { address } };
  return { kind: 'unknown', why: 'not_understood', detail: `the address ${fault}` };
}
