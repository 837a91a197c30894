import { z } from 'zod';

const longest = z.string().max(1024);

/** A client's credentials, as typed into a page. */
export const clientCredentials = z.strictObject({
  tenant: longest,
  client_id: longest,
  client_secret: longest,
});
export type ClientCredentials = z.infer<typeof clientCredentials>;

/** `POST /internal/tokens` (identity): the credentials of a sign-in to a page, and its address (`clientOf`). */
export const signIn = clientCredentials.extend({ address: z.string().max(64).optional() });
export type SignIn = z.infer<typeof signIn>;

/**
 * An access token without scopes; null when the client does not exist or the secret is wrong. `retry_after_s`: nothing was
 * checked, because too many earlier attempts had failed.
 */
export const signedIn = z.strictObject({
  access_token: z.string().nullable(),
  retry_after_s: z.int().positive().optional(),
});
export type SignedIn = z.infer<typeof signedIn>;
