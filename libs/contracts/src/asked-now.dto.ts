import { z } from 'zod';

/** The answer to an operator who asks about an object at once (ADMIN-16). */
export const askedNow = z
  .strictObject({
    asked: z.array(z.string()).meta({
      description:
        'the kinds of due work that are due now, such as `payment.status`; the worker makes the calls',
    }),
  })
  .meta({ id: 'AskedNow' });
export type AskedNow = z.infer<typeof askedNow>;
