import { z } from 'zod';
import { integerId } from './ids.ts';
import { mandateSdkOptions } from './mandate-sdk.dto.ts';
import { upi } from './payment.dto.ts';
import { postbackUrl, upiRequest } from './payment-request.dto.ts';

/** `POST /api/pg/payments/emandate/auth` (interface "Authorise mandate"). */
export const authoriseMandate = z
  .strictObject({
    mandate_id: integerId,
    /** UPI mandates only; left out, the answer carries the hosted page, and the SDK options where the provider has an SDK. */
    upi: upiRequest.nullish(),
    /** Where the investor's browser goes after the SDK's checkout; may be left out when the tenant has a default. */
    payment_postback_url: postbackUrl.nullish(),
  })
  .meta({ id: 'AuthoriseMandate' });
export type AuthoriseMandateRequest = z.output<typeof authoriseMandate>;

/** `POST /api/pg/payments/nach`: debits a mandate for one order (contract §3). */
export const debitMandate = z
  .strictObject({
    mandate_id: integerId,
    amc_order_ids: z.array(integerId).length(1, 'must name one order: each debit is for one'),
  })
  .meta({ id: 'DebitMandate' });
export type DebitMandateRequest = z.output<typeof debitMandate>;

/** What `POST /nach` answers; the debit runs after the order is submitted (contract §10 "Payments"). */
export const createdDebit = z.strictObject({ id: integerId }).meta({ id: 'CreatedDebit' });
export type CreatedDebitDto = z.infer<typeof createdDebit>;

/** What authorising answers (interface "Authorise mandate"). */
export const createdAuthorisation = z
  .strictObject({
    id: integerId,
    /** Empty for uri and collect, the hosted page otherwise (contract §10 "Mandates"). */
    token_url: z.string(),
    upi: upi.optional(),
    sdk_options: mandateSdkOptions.optional(),
  })
  .meta({ id: 'CreatedAuthorisation' });
export type CreatedAuthorisationDto = z.infer<typeof createdAuthorisation>;
