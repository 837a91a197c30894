import { z } from 'zod';

/** The options of the provider's SDK for a payment (FLOW-6). */
const sdkvendorOptions = z
  .strictObject({
    callback_url: z.string(),
    bank_code: z.string(),
    /** Paise; the currency is INR. */
    amount: z.int().positive(),
    method: z.strictObject({
      wallet: z.boolean(),
      netbanking: z.boolean(),
      card: z.boolean(),
      upi: z.boolean(),
    }),
    order_id: z.string(),
    key: z.string(),
    /** Empty when the investor has none. */
    email: z.string(),
    contact: z.string(),
  })
  .meta({ id: 'SdkvendorOptions' });
export const sdkOptions = z.strictObject({ sdkvendor: sdkvendorOptions }).meta({ id: 'SdkOptions' });
export type SdkOptionsDto = z.infer<typeof sdkOptions>;

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
