import type { PaymentFailureCode } from '@fundrail/contracts';
import type {
  Answer,
  MandateCheckout,
  MandateCheckoutOrder,
  MandateRegistration,
  ProviderMandates,
} from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { Mandates } from '../../outside/mandates-client.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { Registrations } from '../authorisation/registrations.ts';
import { ChangeCollection } from '../change-collection.ts';
import { openCheckout } from '../checkout/open-checkout.ts';
import { checkoutOf, type Collection } from '../collection.ts';
import { PayeeHandles } from '../upi/payee-handles.ts';
import { addressed, bankUrlFault } from './addressed.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import type { Choice, Started } from './record-attempt.ts';
import type { Visitor } from './visitor.ts';

/** The bank where the investor approves an e-mandate, and the address of ours to which it sends the browser back. */
interface BankVisit {
  readonly bank: string;
  readonly back: string;
}

/** Starts the authorisation of a mandate at its provider, for the browser that has the page open: Autopay by QR code, an e-mandate at the bank. */
@Injectable()
export class StartOnPage {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly mandates: Mandates,
    private readonly registrations: Registrations,
    private readonly handles: PayeeHandles,
    private readonly change: ChangeCollection,
    private readonly config: PaymentsConfig,
  ) {}

  /** Call it outside any transaction. Throws 503 when another service does not answer; the provider was not called then. */
  async start(payment: Collection, choice: Choice, { browser, language }: Visitor): Promise<Started | null> {
    const { mandates } = this.providers.of(payment.provider_name);
    if (!mandates) throw new Error(`${payment.provider_name} does not support mandates`);
    const mandate = await this.mandates.facts(payment.tenant, payment.mandate_id ?? 0);
    if (!mandate) throw new Error(`payment ${payment.id} authorises a mandate that does not exist`);
    const { fromUriMs, fromCreationMs } = this.config.times;
    const withinMs = choice.way === 'intent' ? fromUriMs : fromCreationMs;
    const registration = { ...(await this.registrations.of(payment, mandate, withinMs)), browser };
    switch (choice.way) {
      case 'intent': {
        const asked = await mandates.authoriseByUri(registration);
        return addressed(await this.handles.checked(payment.tenant, asked), ({ uri }) => uri);
      }
      case 'netbanking':
        return this.atBank(payment, mandates, registration, {
          bank: choice.bank,
          back: `${this.config.publicBaseUrl}${CHECKOUT_PATH}/capture/${payment.id}?lang=${language}`,
        });
      case 'collect':
        // The page does not register mandates by collect: NPCI ended that on 28 February 2026 (MAN-13).
        return null;
      default:
        return choice satisfies never;
    }
  }

  private async atBank(
    payment: Collection,
    { checkout }: ProviderMandates,
    registration: MandateRegistration,
    { bank, back }: BankVisit,
  ): Promise<Started | null> {
    if (!checkout) return null;
    const order = await this.orderOf(payment, checkout, registration);
    if (order?.kind !== 'yes') return order;
    const answer = await checkout.startEmandate(registration, order.value, bank, back);
    return addressed(
      answer,
      ({ redirect_url }) => redirect_url,
      (url) => bankUrlFault(url, this.config.sandbox),
    );
  }

  /** The provider's order; null when the payment has ended. Without SDK options there is none until the investor chooses a bank. */
  private async orderOf(
    payment: Collection,
    checkout: MandateCheckout,
    registration: MandateRegistration,
  ): Promise<Answer<MandateCheckoutOrder, PaymentFailureCode> | null> {
    const known = recordedOrder(payment);
    if (known) return { kind: 'yes', value: known };
    const answer = await checkout.open(registration);
    if (answer.kind !== 'yes') return answer;
    // It is recorded before the investor sees it, as for payments. Another press may have recorded its order first.
    const after = await this.change.execute(payment, (row, tx) => openCheckout(row, answer.value, tx.now));
    const order = after?.status === 'PENDING' ? recordedOrder(after) : null;
    return order && { kind: 'yes', value: order };
  }
}

function recordedOrder(payment: Collection): MandateCheckoutOrder | null {
  const { order_id = null, customer_id = null } = checkoutOf(payment) ?? {};
  return order_id === null || customer_id === null ? null : { order_id, customer_id };
}
