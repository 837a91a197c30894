import { Decimal } from '@fundrail/contracts';
import { z } from 'zod';

/** Requests and answers of thirdpay, a fictitious provider: rupees as text, and its own words. */
const rupees = z
  .string()
  .regex(/^\d+\.\d\d$/)
  .transform((text) => Decimal.parse(text));

const charged = z.object({ reference: z.string(), link: z.string().startsWith('upi://').nullable() });
export const charge = z.discriminatedUnion('state', [
  charged.extend({ state: z.literal('open') }),
  charged.extend({ state: z.literal('paid'), receipts: z.tuple([z.string()], z.string()), rupees }),
  charged.extend({ state: z.literal('refused'), why: z.string() }),
  charged.extend({ state: z.literal('void') }),
]);
export type Charge = z.output<typeof charge>;

export const giveback = z.object({ reference: z.string(), state: z.enum(['going', 'gone', 'refused']) });
export type Giveback = z.output<typeof giveback>;

export const standing = z.object({
  ...{ reference: z.string(), link: z.string().startsWith('upi://mandate?').nullable(), why: z.string() },
  state: z.enum(['open', 'taken', 'agreed', 'refused', 'dead', 'void']),
  /** Its mandate, once the investor has agreed. */
  token: z.string().nullable(),
});
export type Standing = z.output<typeof standing>;

export const token = z.object({ token: z.string(), state: z.enum(['running', 'resting', 'ended']) });
export type Token = z.output<typeof token>;

const facts = { at: z.iso.datetime(), words: z.string() };
export const notice = z.object({ notice: z.string(), paise: z.int().positive(), ...facts });
export type Notice = z.output<typeof notice>;

export const problem = z.object({ problem: z.string().min(1) });

export const callbackHead = z.object({ id: z.string().min(1), reference: z.string().min(1) });
export const callbackBody = z.union([
  z.object({ charge, attempt: z.string().optional() }),
  z.object({ giveback }),
  z.object({ standing }),
  z.object({ token }),
]);
export type CallbackBody = z.output<typeof callbackBody>;
