import { vpa } from '@fundrail/contracts';
import { z } from 'zod';

// As far as a token, a UPI ID or a bank's code can be; longer ones are nobody's.
const field = z.string().max(300).catch('');

/** The page's address. What others have added to it is left alone. */
export const checkoutQuery = z.object({
  txnId: field,
  lang: z.string().max(10).optional().catch(undefined),
  /** The bank was just chosen: the page goes on there by itself, this once. */
  go: z.literal('1').optional().catch(undefined),
});
export type CheckoutQuery = z.output<typeof checkoutQuery>;

/** The address that a bank sends the browser back to: the language that was chosen on the page. */
export const captureQuery = z.object({ lang: z.string().max(10).optional().catch(undefined) });
export type CaptureQuery = z.output<typeof captureQuery>;

/** A form of the page. What is not understood does nothing, and the page is shown again. */
export const checkoutForm = z.object({
  txnId: field,
  lang: z.string().max(10).optional().catch(undefined),
  action: z.enum(['intent', 'collect', 'netbanking', 'choose', 'cancel']).nullable().catch(null),
  vpa: field,
  bank: field,
});
export type CheckoutForm = z.output<typeof checkoutForm>;

/** The UPI ID that was typed, or null when it is none. Blanks around it, as phones add them, do no harm. */
export function vpaOf(typed: string): string | null {
  return vpa.safeParse(typed.trim()).data ?? null;
}
