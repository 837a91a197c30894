import { z } from 'zod';

const CONTROL_CHARACTERS = 'must not contain control characters';

/**
 * One line of text from a caller: not empty, at most `most` characters, no control characters (PostgreSQL takes no NUL), no half
 * of a surrogate pair. The pattern names its characters, and no class of Unicode: not every reader of the OpenAPI document knows those.
 */
export function plainText(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, CONTROL_CHARACTERS)
    .refine((text) => text.isWellFormed(), CONTROL_CHARACTERS);
}
