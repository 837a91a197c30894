import { z } from 'zod';
import type { FieldError } from './errors.ts';
import type { InvestmentAccountFacts } from './internal/investor-facts.dto.ts';

/** The investor's consent as sent: at least one of e-mail and mobile (ORD-9). */
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

/** Each contact that the consent names must be the account's own; e-mail in any case, the dialling code with or without `+` (ORD-9). */
export function consentMismatches(
  input: ConsentInput,
  contacts: InvestmentAccountFacts['contacts'],
): FieldError[] {
  const message = 'must match the investment account';
  const faults: FieldError[] = [];
  if (input.email && input.email.toLowerCase() !== contacts.email?.toLowerCase())
    faults.push({ field: 'consent.email', message });
  if (input.isd_code && diallingCode(input.isd_code) !== diallingCode(contacts.isd_code ?? ''))
    faults.push({ field: 'consent.isd_code', message });
  if (input.mobile && input.mobile !== contacts.mobile) faults.push({ field: 'consent.mobile', message });
  return faults;
}

function diallingCode(text: string): string {
  return text.replace('+', '');
}
