import { z } from 'zod';

/** Razorpay's ids and signature are far shorter; this only bounds what is hashed. */
const LONGEST = 255;
const field = z.string().max(LONGEST);
/** A payer's own words may stand in a description. */
const anyText = z.string().max(4096);

const posted = z.looseObject({
  razorpay_payment_id: field.optional(),
  razorpay_order_id: field.optional(),
  razorpay_signature: field.optional(),
  /** JSON has the error as an object, a form its fields as `error[code]` and so on. */
  error: z.looseObject({ code: anyText.nullish(), reason: anyText.nullish() }).optional(),
  'error[code]': anyText.optional(),
  'error[reason]': anyText.optional(),
});

/** What the provider's SDK or its page posts to the capture route (contract §3 "SDK capture"). */
export type CapturePost =
  | {
      readonly kind: 'signed';
      readonly payment_id: string;
      readonly order_id: string;
      readonly signature: string;
    }
  /** A hint and nothing more: whoever knows the address can post it. */
  | { readonly kind: 'error'; readonly code: string | null; readonly reason: string | null };

/** The body of `POST …/capture/:payment_id`, JSON or form; fields that we do not know are the provider's to add. */
export const capturePost = posted.transform((body, context): CapturePost => {
  const { razorpay_payment_id, razorpay_order_id, razorpay_signature, error } = body;
  if (razorpay_payment_id && razorpay_order_id && razorpay_signature)
    return {
      kind: 'signed',
      payment_id: razorpay_payment_id,
      order_id: razorpay_order_id,
      signature: razorpay_signature,
    };
  const code = error?.code ?? body['error[code]'] ?? null;
  const reason = error?.reason ?? body['error[reason]'] ?? null;
  if (error || code !== null || reason !== null) return { kind: 'error', code, reason };
  for (const name of ['razorpay_payment_id', 'razorpay_order_id', 'razorpay_signature'] as const)
    if (!body[name]) context.addIssue({ code: 'custom', path: [name], message: 'is required' });
  return z.NEVER;
});
