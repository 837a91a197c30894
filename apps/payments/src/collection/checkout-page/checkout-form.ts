import { vpa } from '@fundrail/contracts';
import { z } from 'zod';

// A token, a UPI ID and a bank's code are shorter than this.
const field = z.string().max(300).catch('');

/** The query of the page's address. Unknown parameters are ignored. */
export const checkoutQuery = z.object({
  txnId: field,
  lang: z.string().max(10).optional().catch(undefined),
  /** The bank was just chosen: the page redirects there by itself, once. */
  go: z.literal('1').optional().catch(undefined),
});
export type CheckoutQuery = z.output<typeof checkoutQuery>;

/** The query of the address that a bank sends the browser back to: the language that was chosen on the page. */
export const captureQuery = z.object({ lang: z.string().max(10).optional().catch(undefined) });
export type CaptureQuery = z.output<typeof captureQuery>;

/** A form of the page. An unknown action does nothing, and the page is shown again. */
export const checkoutForm = z.object({
  txnId: field,
  lang: z.string().max(10).optional().catch(undefined),
  action: z.enum(['intent', 'collect', 'netbanking', 'choose', 'cancel']).nullable().catch(null),
  vpa: field,
  bank: field,
});
export type CheckoutForm = z.output<typeof checkoutForm>;

/** The UPI ID that was typed, or null when it is not valid. Spaces around it, which phones add, are removed. */
export function vpaOf(typed: string): string | null {
  return vpa.safeParse(typed.trim()).data ?? null;
}
