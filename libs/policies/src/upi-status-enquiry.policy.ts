import { definePolicy } from './define-policy.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const upiStatusEnquiry = definePolicy({
  name: 'upi_status_enquiry',
  rule: 'The status of a UPI transaction is first asked for 90 seconds after its start, and at most 3 times within 2 hours.',
  versions: [
    {
      from: '2025-04-26',
      until: null,
      // NPCI will allow the first question after 45 to 60 seconds, and says when.
      parameters: {
        first_seconds: 90,
        first_seconds_least: 45,
        second_minutes: 10,
        third_minutes: 60,
        most: 3,
        within_minutes: 120,
        hourly_from_minutes: 125,
      },
      source: [
        {
          title: 'NPCI circular to UPI members on status checks of transactions, with OC 214',
          number: null,
          date: '2025-04-26',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: null,
  refusal: null,
  applies_to: [
    'the start of payments and mandates (UPI_STATUS_FIRST_SECONDS)',
    'each question about a payment, an authorisation or a debit by UPI that no report of the provider has caused',
  ],
});

/** The parameters of a version, for the times of its questions. */
type Pace = (typeof upiStatusEnquiry)['versions'][number]['parameters'];

/** A question to a provider in the row of those about one transaction; `position` counts from 1, and is 4 for each that is hourly. */
export interface PlannedQuestion {
  readonly at: Date;
  readonly position: number;
}

/** The first question after `now` about a transaction that started at `start`, of which `asked` were asked. `firstSeconds`: `UPI_STATUS_FIRST_SECONDS`. */
export function questionAfter(
  pace: Pace,
  {
    start,
    asked,
    firstSeconds,
  }: { readonly start: Date; readonly asked: number; readonly firstSeconds: number },
  now: Date,
): PlannedQuestion {
  const { second_minutes, third_minutes, most, hourly_from_minutes } = pace;
  const early = [firstSeconds * 1000, second_minutes * MINUTE_MS, third_minutes * MINUTE_MS].slice(0, most);
  const elapsed = now.getTime() - start.getTime();
  const index = early.findIndex((offset, place) => place >= asked && offset > elapsed);
  if (index >= 0) return { at: new Date(start.getTime() + (early[index] ?? 0)), position: index + 1 };
  const from = hourly_from_minutes * MINUTE_MS;
  const hours = elapsed < from ? 0 : Math.floor((elapsed - from) / HOUR_MS) + 1;
  return { at: new Date(start.getTime() + from + hours * HOUR_MS), position: early.length + 1 };
}
