import { addDays, addDuration, istDate } from '@fundrail/contracts';
import { definePolicy } from './define-policy.ts';

type Figures = {
  readonly personal_data_days: number;
  readonly log_days: number;
  readonly record_years: number;
};

/** The product keeps to the first version from its release on, before the law asks for it. */
export const personalDataRetention = definePolicy({
  name: 'personal_data_retention',
  rule: 'Personal data and logs stay at least one year from the processing, and records of orders as long as the law keeps them; then they go.',
  versions: [
    {
      from: '2027-05-13',
      until: null,
      parameters: { personal_data_days: 365, log_days: 366, record_years: 8 },
      source: [
        {
          title: 'Digital Personal Data Protection Rules 2025, rule 8(3)',
          number: null,
          date: '2025-11-13',
          seen: 'text',
        },
        {
          title: 'SEBI (Mutual Funds) Regulations 1996, regulation 50: eight years of records',
          number: null,
          date: null,
          seen: 'secondary',
        },
      ],
    },
  ],
  tenant: { personal_data_days: 'at_least', record_years: 'at_least' },
  // DPDP Rules 2025, rule 8(3): logs stay a year at least.
  bounds: { personal_data_days: [365, 36_500], log_days: [365, 36_500], record_years: [8, 100] },
  refusal: null,
  applies_to: [
    'POST /v2/investor_profiles/:id/erasure',
    'the day on which an erasure is due',
    'the day on which the facts of callbacks, events and webhook attempts go',
  ],
});

/**
 * The first days (IST) on which no year since the last processing, and no years of records since the last order, keep a person's data any
 * longer. `records` is null without orders.
 */
export function retentionEnds(
  { personal_data_days, record_years }: Pick<Figures, 'personal_data_days' | 'record_years'>,
  { processedAt, orderedAt }: { readonly processedAt: Date; readonly orderedAt: Date | null },
): { readonly personal: string; readonly records: string | null } {
  const dayAfter = (date: string, days: number) => addDays(date, days + 1);
  return {
    personal: dayAfter(istDate(processedAt), personal_data_days),
    records: orderedAt && dayAfter(istDate(addDuration(orderedAt, `P${record_years}Y`)), 0),
  };
}
