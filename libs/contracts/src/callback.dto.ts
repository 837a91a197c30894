import { z } from 'zod';

/** The answer to a provider's callback, and to the same one sent again: it has been stored (contract §3). */
export const takenCallback = z.strictObject({ received: z.literal(true) }).meta({ id: 'TakenCallback' });
