import type { MandateCheckoutOrder, MandateRegistration, ProviderMandates } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { Registrations } from '../authorisation/registrations.ts';
import { PaymentsConfig } from '../config.ts';
import { Mandates } from '../outside/mandates-client.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { Payment } from '../payment/payment.ts';
import { addressed, bankUrlFault } from './addressed.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import type { Choice, Started } from './record-attempt.ts';
import type { Visitor } from './visitor.ts';

/** Begins to authorise a mandate at its provider, for the browser that has the page open: Autopay by its QR code, an e-mandate at the bank. */
@Injectable()
export class StartOnPage {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly mandates: Mandates,
    private readonly registrations: Registrations,
    private readonly config: PaymentsConfig,
  ) {}

  /** Call it outside any transaction. Throws 503 when a neighbour does not answer; then the provider was not asked. */
  async start(payment: Payment, choice: Choice, { browser, language }: Visitor): Promise<Started | null> {
    const { mandates } = this.providers.of(payment.provider_name);
    if (!mandates) throw new Error(`${payment.provider_name} takes no mandates`);
    const mandate = await this.mandates.facts(payment.tenant, payment.mandate_id ?? 0);
    if (!mandate) throw new Error(`payment ${payment.id} authorises a mandate that mandates does not know`);
    const { fromUriMs, fromCreationMs } = this.config.times;
    const withinMs = choice.way === 'intent' ? fromUriMs : fromCreationMs;
    const registration = { ...(await this.registrations.of(payment, mandate, withinMs)), browser };
    switch (choice.way) {
      case 'intent':
        return addressed(await mandates.authoriseByUri(registration), ({ uri }) => uri);
      case 'netbanking':
        return this.atBank(payment, mandates, registration, choice.bank, language);
      case 'collect':
        // New mandates are not registered by collect on the page: NPCI ended it on 28 February 2026 (contract §4).
        return null;
      default:
        return choice satisfies never;
    }
  }

  private async atBank(
    payment: Payment,
    { checkout }: ProviderMandates,
    registration: MandateRegistration,
    bank: string,
    language: string,
  ): Promise<Started | null> {
    const { checkout_order_id: order_id, checkout_customer_id: customer_id } = payment;
    if (!checkout || order_id === null || customer_id === null) return null;
    const order: MandateCheckoutOrder = { order_id, customer_id };
    const back = `${this.config.publicBaseUrl}${CHECKOUT_PATH}/capture/${payment.id}?lang=${language}`;
    const answer = await checkout.startEmandate(registration, order, bank, back);
    return addressed(
      answer,
      ({ redirect_url }) => redirect_url,
      (url) => bankUrlFault(url, this.config.sandbox),
    );
  }
}
