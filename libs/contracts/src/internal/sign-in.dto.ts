import { z } from 'zod';

const longest = z.string().max(1024);

/** The credentials of a client, as somebody types them into a page. */
export const clientCredentials = z.strictObject({
  tenant: longest,
  client_id: longest,
  client_secret: longest,
});
export type ClientCredentials = z.infer<typeof clientCredentials>;

/** `POST /internal/tokens` (identity): who signs in to a page with them, and from which address (`clientOf`). */
export const signIn = clientCredentials.extend({ address: z.string().max(64).optional() });
export type SignIn = z.infer<typeof signIn>;

/**
 * An access token without any scope; null when there is no such client, or its secret is another. `retry_after_s`: neither was
 * looked at, because too many attempts had failed before.
 */
export const signedIn = z.strictObject({
  access_token: z.string().nullable(),
  retry_after_s: z.int().positive().optional(),
});
export type SignedIn = z.infer<typeof signedIn>;
