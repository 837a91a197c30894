import { z } from 'zod';

const CALLBACK_URL = 'Where the SDK posts its result';
const ORDER_ID = 'The id of the order at the provider';
const KEY = 'The public key of the account at the provider';

/** The options of the provider's SDK for a payment (FLOW-6). */
const sdkvendorOptions = z
  .strictObject({
    callback_url: z.string().describe(CALLBACK_URL),
    bank_code: z.string().describe("The code of the investor's bank"),
    amount: z.int().positive().describe('In paise; the currency is INR'),
    method: z
      .strictObject({
        wallet: z.boolean().describe('Whether wallets are offered'),
        netbanking: z.boolean().describe('Whether net banking is offered'),
        card: z.boolean().describe('Whether cards are offered'),
        upi: z.boolean().describe('Whether UPI is offered'),
      })
      .describe('The methods that the SDK offers'),
    order_id: z.string().describe(ORDER_ID),
    key: z.string().describe(KEY),
    email: z.string().describe("The investor's e-mail address; empty without one"),
    contact: z.string().describe("The investor's mobile number; empty without one"),
  })
  .meta({ id: 'SdkvendorOptions' });
export const sdkOptions = z
  .strictObject({ sdkvendor: sdkvendorOptions.describe('Options of the SDK of sdkvendor, for its checkout') })
  .meta({ id: 'SdkOptions' });
export type SdkOptionsDto = z.infer<typeof sdkOptions>;

/** The options of the provider's SDK for a mandate. UPI Autopay omits the four optional ones (MAN-15). */
const mandateSdkFields = z
  .strictObject({
    callback_url: z.string().describe(CALLBACK_URL),
    bank_account_number: z.string().describe('The number of the account to debit'),
    method: z
      .strictObject({ emandate: z.boolean().describe('True for an e-mandate, false for UPI Autopay') })
      .describe('The kind of mandate'),
    contact: z.string().optional().describe("The investor's mobile number"),
    bank_account_holder_name: z.string().optional().describe('The holder of the account to debit'),
    customer_id: z.string().describe('The id of the investor at the provider'),
    order_id: z.string().describe(ORDER_ID),
    bank_account_ifsc: z.string().optional().describe('The IFSC of the account to debit'),
    key: z.string().describe(KEY),
    email: z.string().optional().describe("The investor's e-mail address"),
  })
  .meta({ id: 'MandateSdkFields' });
export type MandateSdkFieldsDto = z.infer<typeof mandateSdkFields>;

/** The same fields under `sdkvendor` and directly, because clients read either place (MAN-14). */
export const mandateSdkOptions = z
  .strictObject({
    sdkvendor: mandateSdkFields.describe('The same options again, under the name of the provider'),
    ...mandateSdkFields.shape,
  })
  .meta({ id: 'MandateSdkOptions' });
export type MandateSdkOptionsDto = z.infer<typeof mandateSdkOptions>;

/** Of a payment whose `payment_type` is NETBANKING, or of a mandate's authorisation (AUTH_TRANSACTION). */
export const paymentOrMandateSdkOptions = z
  .union([sdkOptions, mandateSdkOptions])
  .meta({ id: 'PaymentOrMandateSdkOptions' });
