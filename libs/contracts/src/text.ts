import { z } from 'zod';

const CONTROL_CHARACTERS = 'must not contain control characters';

/**
 * One line of text from a caller: not empty, at most `most` characters, no control characters (PostgreSQL does not accept NUL),
 * no half of a surrogate pair. The pattern lists characters instead of Unicode classes, which not every OpenAPI tool supports.
 */
export function plainText(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, CONTROL_CHARACTERS)
    .refine((text) => text.isWellFormed(), CONTROL_CHARACTERS);
}

const INVISIBLE = 'must not contain invisible or direction-changing characters';

/**
 * A name that is shown to the public on a page: one line of at most `most` characters, trimmed, with at least one letter or digit.
 * Characters that change the writing direction are refused, because they could reorder the text beside it. So are invisible
 * ones, except the joiners, which Hindi needs.
 */
export function shownName(most: number) {
  return z
    .string()
    .trim()
    .pipe(
      plainText(most)
        .regex(/^[^\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]*$/, INVISIBLE)
        .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must contain a letter or a digit'),
    )
    .meta({
      description: `One line of at most ${most} characters, with a letter or a digit, and without control, invisible or direction-changing characters.`,
    });
}

/** Whether PostgreSQL accepts a text, also within JSON: no NUL and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * The path of the first text or field name for which `fits` returns false, or null. Searches lists and plain objects; the caller
 * limits their depth.
 */
export function unfitText(value: unknown, fits: (text: string) => boolean): readonly string[] | null {
  if (typeof value === 'string') return fits(value) ? null : [];
  if (!Array.isArray(value) && !isPlain(value)) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (!fits(name)) return [];
    const path = unfitText(inner, fits);
    if (path) return [name, ...path];
  }
  return null;
}

/** Whether a value is an object as JSON has it, and no instance of a class. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
