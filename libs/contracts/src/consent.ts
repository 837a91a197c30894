import { z } from 'zod';
import type { FieldError } from './errors.ts';
import type { InvestmentAccountFacts } from './internal/investor-facts.dto.ts';
import { istTimestamp, writtenTimestamp } from './time.ts';

/** The contact that an OTP was sent to, by its channel. */
const CONTACT_OF = { sms: 'mobile', email: 'email' } as const;

// With a letter, and without spaces and `@`, it is no OTP, phone number or e-mail. One pass reads it, whatever its length.
const CHECK_NAME = /^[0-9._:/-]*[A-Za-z][A-Za-z0-9._:/-]*$/;

/** The proof that the investor confirmed by an OTP (ORD-32). The OTP itself is never sent here. */
const consentEvidence = z
  .strictObject({
    method: z.literal('otp'),
    channel: z.enum(['sms', 'email']),
    sent_at: writtenTimestamp,
    verified_at: writtenTimestamp,
    /** The name of the check where it was made. */
    reference: z
      .string()
      .max(100)
      .regex(CHECK_NAME, 'must name the check: letters, digits and ._:/-, with a letter, never the OTP'),
    verified_by: z.enum(['tenant', 'amc', 'rta', 'exchange']),
  })
  .meta({ id: 'ConsentEvidence' });
type ConsentEvidence = z.infer<typeof consentEvidence>;

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
    evidence: consentEvidence.nullish(),
  })
  .refine((value) => Boolean(value.email ?? value.mobile), {
    message: 'needs at least one of email and mobile',
  })
  .refine(({ evidence, ...contacts }) => !evidence || Boolean(contacts[CONTACT_OF[evidence.channel]]), {
    path: ['evidence', 'channel'],
    message: 'must be that of a contact which the consent names',
  });
export type ConsentInput = z.infer<typeof consentInput>;

/** The recorded consent in answers and events. */
export const consent = z.strictObject({
  email: z.string().nullable(),
  isd_code: z.string().nullable(),
  mobile: z.string().nullable(),
  /** Absent where it was recorded without. */
  evidence: consentEvidence.optional(),
});
export type Consent = z.infer<typeof consent>;

/** The consent as it is recorded, its times in our form (CONV-30). */
export function recordedConsent({ email, isd_code, mobile, evidence }: ConsentInput): Consent {
  const contacts = { email: email ?? null, isd_code: isd_code ?? null, mobile: mobile ?? null };
  if (!evidence) return contacts;
  const inIst = (text: string) => istTimestamp(new Date(text));
  const times = { sent_at: inIst(evidence.sent_at), verified_at: inIst(evidence.verified_at) };
  return { ...contacts, evidence: { ...evidence, ...times } };
}

/** Why the times of a proof are refused (ORD-32): sent, then checked, and both not in the future, nor longer ago than these minutes. */
export function evidenceFaults(
  { sent_at, verified_at }: ConsentEvidence,
  mostMinutes: number | null,
  now: Date,
): FieldError[] {
  const [sent, verified] = [new Date(sent_at), new Date(verified_at)];
  const at = (message: string) => [{ field: 'consent.evidence.verified_at', message }];
  if (verified < sent) return at('must not be before sent_at');
  if (verified > now) return at('must not be in the future');
  if (mostMinutes !== null && now.getTime() - verified.getTime() > mostMinutes * 60_000)
    return at(`must be at most ${mostMinutes} minutes ago`);
  return [];
}

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
