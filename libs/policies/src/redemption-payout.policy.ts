import { businessDaysAfter, type Holidays } from '@fundrail/contracts';
import { definePolicy } from './define-policy.ts';

type Days = {
  readonly working_days: number;
  readonly working_days_overseas: number;
  readonly interest_percent: number;
};

export const redemptionPayout = definePolicy({
  name: 'redemption_payout',
  rule: 'The proceeds of a redemption are paid out within these working days of it, more where at least 80 % of the scheme is invested overseas; afterwards the fund house owes interest by the year.',
  versions: [
    {
      from: '2023-01-14',
      until: null,
      parameters: { working_days: 3, working_days_overseas: 5, interest_percent: 15 },
      source: [
        {
          title:
            'SEBI circular on the payout of redemptions, with the amendment of the gazette of 15 November 2022, in force 60 days later, as quoted by Moneycontrol',
          number: null,
          date: '2022-11-25',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: null,
  bounds: { working_days: [1, 30], working_days_overseas: [1, 30], interest_percent: [1, 100] },
  unfit: ({ working_days, working_days_overseas }: Days) =>
    working_days <= working_days_overseas ? null : 'working_days must be at most working_days_overseas',
  refusal: null,
  applies_to: ['payout_due_date of redemptions', 'the finding payout_overdue of reconciliation'],
});

/** A redemption that was processed with the NAV of that day (IST). */
export interface TradedRedemption {
  readonly traded_on: string;
  /** At least 80 % of the scheme is invested overseas. */
  readonly is_overseas: boolean;
}

/** The last day on which the proceeds are in time. */
export function lastPayoutDay(
  { working_days, working_days_overseas }: Days,
  { traded_on, is_overseas }: TradedRedemption,
  holidays: Holidays,
): string {
  return businessDaysAfter(traded_on, is_overseas ? working_days_overseas : working_days, holidays);
}
