import { z } from 'zod';

const longest = z.string().max(1024);

/** `POST /internal/tokens` (identity): who signs in to a page with the credentials of a client. */
export const signIn = z.strictObject({ tenant: longest, client_id: longest, client_secret: longest });
export type SignIn = z.infer<typeof signIn>;

/** An access token without any scope; null when there is no such client, or its secret is another. */
export const signedIn = z.strictObject({ access_token: z.string().nullable() });
export type SignedIn = z.infer<typeof signedIn>;
