import { z } from 'zod';

/** The body of every `PATCH`: Razorpay allows changes to the notes only. */
export const notesRequest = z.object({ notes: z.record(z.string(), z.unknown()) });
export type NotesRequest = z.output<typeof notesRequest>;
