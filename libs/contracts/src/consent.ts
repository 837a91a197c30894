import { z } from 'zod';

/** The investor's consent as sent: at least one of e-mail and mobile (contract §2). */
export const consentInput = z
  .strictObject({
    email: z.email().max(254).nullish(),
    isd_code: z
      .string()
      .regex(/^\+?\d{1,4}$/, 'must be a dialling code such as 91')
      .nullish(),
    mobile: z
      .string()
      .regex(/^\d{6,15}$/, 'must be 6 to 15 digits')
      .nullish(),
  })
  .refine((value) => Boolean(value.email ?? value.mobile), {
    message: 'needs at least one of email and mobile',
  });
export type ConsentInput = z.infer<typeof consentInput>;

/** The recorded consent in answers and events. */
export const consent = z.strictObject({
  email: z.string().nullable(),
  isd_code: z.string().nullable(),
  mobile: z.string().nullable(),
});
export type Consent = z.infer<typeof consent>;
