import type { CreatedAuthorisationDto, MandateSdkFieldsDto, MandateSdkOptionsDto } from '@fundrail/contracts';
import type { MandateRegistration } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { toUpi } from '../../payment/payment.ts';
import { CHECKOUT_PATH, CheckoutTokens } from '../checkout-page/checkout-token.ts';
import { checkoutOf, type Collection } from '../collection.ts';

/** The answers to an authorisation: the URI, the VPA, or the options of the provider's SDK (MAN-12 to MAN-15). */
@Injectable()
export class AuthorisationAnswers {
  constructor(
    private readonly tokens: CheckoutTokens,
    private readonly providers: PaymentProviders,
    private readonly config: PaymentsConfig,
  ) {}

  /** `token_url` is empty for uri and collect, otherwise the link to the hosted page (MAN-12 to MAN-14). */
  created(payment: Collection): CreatedAuthorisationDto {
    const { id } = payment;
    const upi = toUpi(payment);
    return upi ? { id, token_url: '', upi } : { id, token_url: this.tokens.tokenUrl(id), upi: null };
  }

  sdk(payment: Collection, registration: MandateRegistration): CreatedAuthorisationDto {
    return { ...this.created(payment), sdk_options: this.sdkOptions(payment, registration) };
  }

  /** The link to the hosted page until it has been opened, so that a client can recover a lost answer. */
  unused(payment: Collection, now: Date): { token_url?: string } {
    const checkout = checkoutOf(payment);
    const isUnused = checkout?.opened_at === null && now < checkout.token_expires_at;
    return isUnused ? { token_url: this.tokens.tokenUrl(payment.id) } : {};
  }

  /** The same fields nested and at the top level, because clients use either. */
  sdkOptions(payment: Collection, registration: MandateRegistration): MandateSdkOptionsDto {
    const fields = this.sdkFields(payment, registration);
    return { sdkvendor: fields, ...fields };
  }

  private sdkFields(payment: Collection, registration: MandateRegistration): MandateSdkFieldsDto {
    const { order_id = null, customer_id = null } = checkoutOf(payment) ?? {};
    const checkout = this.providers.of(payment.provider_name).mandates?.checkout;
    if (!checkout || order_id === null || customer_id === null)
      throw new Error(`payment ${payment.id} has no order at a provider's checkout`);
    const { payer, contact, mandate_type } = registration;
    const emandate = mandate_type === 'E_MANDATE';
    return {
      callback_url: `${this.config.publicBaseUrl}${CHECKOUT_PATH}/capture/${payment.id}`,
      bank_account_number: payer.account_number,
      method: { emandate },
      customer_id,
      order_id,
      key: checkout.keyId,
      // Not for UPI Autopay: the client takes them from the investor's profile (MAN-15).
      ...(emandate && {
        bank_account_holder_name: payer.name,
        bank_account_ifsc: payer.ifsc_code,
        contact: contact.mobile ?? '',
        email: contact.email ?? '',
      }),
    };
  }
}
