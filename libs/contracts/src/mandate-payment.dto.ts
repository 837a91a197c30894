import { z } from 'zod';
import { integerId, integerIdOf } from './ids.ts';
import { upi } from './payment.dto.ts';
import { postbackUrl, upiRequest } from './payment-request.dto.ts';
import { mandateSdkOptions } from './sdk-options.dto.ts';

/** `POST /api/pg/payments/emandate/auth` (MAN-11). */
export const authoriseMandate = z
  .strictObject({
    mandate_id: integerIdOf('id', 'mandate'),
    /** UPI mandates only. Without it the response contains the hosted page, and the SDK options if the provider has an SDK. */
    upi: upiRequest.nullish(),
    /** Where the investor's browser goes after the SDK's checkout; optional when the tenant has a default. */
    payment_postback_url: postbackUrl.nullish(),
  })
  .meta({ id: 'AuthoriseMandate' });
export type AuthoriseMandateRequest = z.output<typeof authoriseMandate>;

/** `POST /api/pg/payments/nach`: debits a mandate for one order (DEB-1). */
export const debitMandate = z
  .strictObject({
    mandate_id: integerIdOf('id', 'mandate'),
    amc_order_ids: z
      .array(integerIdOf('old_id', 'purchase', 'redemption'))
      .length(1, 'must contain exactly one order: each debit is for one order'),
  })
  .meta({ id: 'DebitMandate' });
export type DebitMandateRequest = z.output<typeof debitMandate>;

/** Response of `POST /nach`; the debit runs after the order is submitted (DEB-1). */
export const createdDebit = z.strictObject({ id: integerId }).meta({ id: 'CreatedDebit' });
export type CreatedDebitDto = z.infer<typeof createdDebit>;

/** Response of an authorisation (MAN-12 to MAN-14). */
export const createdAuthorisation = z
  .strictObject({
    id: integerId,
    /** The hosted page; empty for uri and collect (MAN-12 to MAN-14). */
    token_url: z.string(),
    /** Null without UPI. */
    upi: upi.nullable(),
    sdk_options: mandateSdkOptions.optional(),
  })
  .meta({ id: 'CreatedAuthorisation' });
export type CreatedAuthorisationDto = z.infer<typeof createdAuthorisation>;
