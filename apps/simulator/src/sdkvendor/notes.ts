import { z } from 'zod';

/** The body of every `PATCH`: Razorpay lets nothing but the notes be changed. */
export const notesRequest = z.object({ notes: z.record(z.string(), z.unknown()) });
export type NotesRequest = z.output<typeof notesRequest>;
