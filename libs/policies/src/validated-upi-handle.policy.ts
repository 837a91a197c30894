import { definePolicy } from './define-policy.ts';

/** Whether it reaches the account of a payment aggregator is the operator's to settle, so outside the sandbox it only warns until chosen otherwise. */
export const validatedUpiHandle = definePolicy({
  name: 'validated_upi_handle',
  rule: 'An intermediary that SEBI has registered collects at a UPI ID of the form `name.<suffix>@valid<bank>`. Earlier UPI IDs end 180 days after the circular; mandates that were authorised before keep theirs.',
  versions: [
    {
      from: '2025-10-01',
      until: null,
      parameters: { mode: 'warn', suffixes: 'mf', earlier_ids_end: '2025-12-08' },
      source: [
        {
          title:
            'SEBI, Adoption of standardised, validated and exclusive UPI IDs: its first two sections; the rest as reported by the press',
          number: 'SEBI/HO/DEPA-II/DEPA-II_SRG/P/CIR/2025/86',
          date: '2025-06-11',
          seen: 'text',
        },
      ],
    },
  ],
  tenant: { mode: ['require', 'warn', 'off'], suffixes: 'free' },
  refusal: null,
  applies_to: ['each UPI URI of a payment', 'each UPI URI of a new mandate'],
});

const HANDLE = /^[a-z0-9]+(?:\.[a-z0-9]+)*\.([a-z0-9]+)@valid[a-z0-9]+$/;

/** Whether a UPI ID is a validated handle, with one of these suffixes (separated by commas) or, without them, with any (FLOW-16). */
export function isValidatedHandle(upiId: string, suffixes: string | null = null): boolean {
  const suffix = HANDLE.exec(upiId)?.[1];
  return suffix !== undefined && (suffixes === null || suffixes.split(',').includes(suffix));
}
