import { z } from 'zod';

/** What the provider's SDK is opened with for a mandate. UPI Autopay omits the four that are optional here (interface). */
export const mandateSdkFields = z
  .strictObject({
    callback_url: z.string(),
    bank_account_number: z.string(),
    /** Whether the mandate is an e-mandate; false for UPI Autopay. */
    method: z.strictObject({ emandate: z.boolean() }),
    contact: z.string().optional(),
    bank_account_holder_name: z.string().optional(),
    customer_id: z.string(),
    order_id: z.string(),
    bank_account_ifsc: z.string().optional(),
    key: z.string(),
    email: z.string().optional(),
  })
  .meta({ id: 'MandateSdkFields' });
export type MandateSdkFieldsDto = z.infer<typeof mandateSdkFields>;

/** The same fields under `sdkvendor` and directly, because the interface shows both readings (contract §4 "Authorise"). */
export const mandateSdkOptions = z
  .strictObject({ sdkvendor: mandateSdkFields, ...mandateSdkFields.shape })
  .meta({ id: 'MandateSdkOptions' });
export type MandateSdkOptionsDto = z.infer<typeof mandateSdkOptions>;
