import { z } from 'zod';
import { businessDate, timestamp } from './time.ts';

/** Where a rule was read: the text itself (`text`), sentences of it quoted elsewhere (`quoted`), or press and vendors (`secondary`). */
export const policySource = z
  .strictObject({
    title: z.string(),
    number: z.string().nullable(),
    date: businessDate.nullable(),
    seen: z.enum(['text', 'quoted', 'secondary']),
  })
  .meta({ id: 'PolicySource' });
export type PolicySource = z.infer<typeof policySource>;

/** A sentence for the investor, in English and Hindi. */
export const policyWords = z.strictObject({ en: z.string(), hi: z.string() }).meta({ id: 'PolicyWords' });
export type PolicyWords = z.infer<typeof policyWords>;

/** The policy that refused a request, in the body of an error (ERR-13). */
export const refusingPolicy = z
  .strictObject({
    name: z.string(),
    in_force_from: businessDate,
    source: z.array(policySource),
    investor: policyWords,
  })
  .meta({ id: 'RefusingPolicy' });
export type RefusingPolicy = z.infer<typeof refusingPolicy>;

/** Amounts are whole rupees. */
const parameters = z.record(z.string(), z.union([z.string(), z.int(), z.boolean(), z.array(z.string())]));

/** A rule of a regulator or of NPCI, as it is in force on a day (POL-3). */
export const policy = z
  .strictObject({
    object: z.literal('policy'),
    name: z.string(),
    rule: z.string(),
    state: z.enum(['in_force', 'ahead', 'ended']),
    in_force_from: businessDate,
    in_force_until: businessDate.nullable(),
    parameters,
    /** The parameters that hold for the caller's tenant. */
    tenant_parameters: parameters,
    tenant_choice: parameters.nullable(),
    refusal: z
      .strictObject({
        /** A code of an error, or the `failure_code` of a payment; then `status` is null. */
        code: z.string(),
        status: z.int().nullable(),
        message: z.string(),
        investor: policyWords,
      })
      .nullable(),
    source: z.array(policySource),
    override: z.strictObject({ reason: z.string(), at: timestamp }).nullable().meta({
      description:
        'why the operator of this deployment has changed dates or parameters of the version; null when it is the rule itself',
    }),
    applies_to: z.array(z.string()),
    versions: z.array(
      z.strictObject({
        from: businessDate,
        until: businessDate.nullable(),
        parameters,
        source: z.array(policySource),
      }),
    ),
  })
  .meta({ id: 'Policy' });
export type PolicyDto = z.infer<typeof policy>;
