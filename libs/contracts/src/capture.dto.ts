import { z } from 'zod';

/** Razorpay's ids and signature are far shorter; this only bounds what is hashed. */
const LONGEST = 255;
const field = z.string().max(LONGEST);
/** A description may contain text that the payer wrote. */
const anyText = z.string().max(4096);

const posted = z.looseObject({
  razorpay_payment_id: field.optional(),
  razorpay_order_id: field.optional(),
  razorpay_signature: field.optional(),
  /** JSON has the error as an object, a form its fields as `error[code]` and so on. */
  error: z
    .looseObject({ code: anyText.nullish(), reason: anyText.nullish(), metadata: z.unknown().optional() })
    .optional(),
  'error[code]': anyText.optional(),
  'error[reason]': anyText.optional(),
  /** JSON text; some senders send each field separately. */
  'error[metadata]': anyText.optional(),
  'error[metadata][order_id]': field.optional(),
});

/** What the provider's SDK or its page posts to the capture route (CAP-6, CAP-9). */
export type CapturePost =
  | {
      readonly kind: 'signed';
      readonly payment_id: string;
      readonly order_id: string;
      readonly signature: string;
    }
  /** Only a hint. `order_id` is the provider's: the payer's browser knows it, a stranger does not. */
  | {
      readonly kind: 'error';
      readonly code: string | null;
      readonly reason: string | null;
      readonly order_id: string | null;
    };

/** The body of `POST …/capture/:payment_id`, JSON or form; the provider may add fields. */
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
  if (error || code !== null || reason !== null)
    return { kind: 'error', code, reason, order_id: orderIn(body) };
  for (const name of ['razorpay_payment_id', 'razorpay_order_id', 'razorpay_signature'] as const)
    if (!body[name]) context.addIssue({ code: 'custom', path: [name], message: 'is required' });
  return z.NEVER;
});

const metadata = z.looseObject({ order_id: field });

/** The order in the metadata of an error, in each form that is sent. */
function orderIn(body: z.output<typeof posted>): string | null {
  const single = body['error[metadata][order_id]'];
  if (single !== undefined) return single;
  const given = body.error?.metadata ?? body['error[metadata]'];
  const read = metadata.safeParse(typeof given === 'string' ? parsed(given) : given);
  return read.success ? read.data.order_id : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
