import { z } from 'zod';

/** The answer to a provider's callback, and to a repeat of it: the callback is stored (GATE-8). */
export const takenCallback = z.strictObject({ received: z.literal(true) }).meta({ id: 'TakenCallback' });
