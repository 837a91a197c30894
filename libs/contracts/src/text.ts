import { z } from 'zod';

/** One line of text from a caller: not empty, at most `most` characters, no control characters (PostgreSQL takes no NUL). */
export function plainText(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');
}
