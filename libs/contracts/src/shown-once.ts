import { z } from 'zod';

/** The text in place of a secret when a response is repeated for an `Idempotency-Key`. */
export const SECRET_NOTICE =
  'The secret was only in the first response and is not stored. If you lost that response, create a new secret.';

/** A secret that only the first response contains. In a repeated response it is null, and `secret_notice` explains why. */
export const shownOnce = z.string().nullable();
export const secretNotice = z.string().optional();
