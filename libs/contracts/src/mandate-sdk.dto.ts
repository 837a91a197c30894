import { z } from 'zod';

/** The options of the provider's SDK for a mandate. UPI Autopay omits the four optional ones (MAN-15). */
const mandateSdkFields = z
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

/** The same fields under `sdkvendor` and directly, because clients read either place (MAN-14). */
export const mandateSdkOptions = z
  .strictObject({ sdkvendor: mandateSdkFields, ...mandateSdkFields.shape })
  .meta({ id: 'MandateSdkOptions' });
export type MandateSdkOptionsDto = z.infer<typeof mandateSdkOptions>;
