import {
  addDays,
  businessDaysAfter,
  isBusinessDay,
  istDate,
  istInstant,
  type Holidays,
  type SchemeCategory,
} from '@fundrail/contracts';
import { definePolicy } from './define-policy.ts';

const CUT_OFFS = {
  title:
    'SEBI circular on the uniform applicability of NAVs on the realisation of funds, as reported by Tarrakki',
  number: 'SEBI/HO/IMD/DF2/CIR/P/2020/175',
  date: '2020-09-17',
  seen: 'secondary',
} as const;
const times = { purchase: '15:00', purchase_liquid_overnight: '13:30', redemption: '15:00' };

export const navCutOff = definePolicy({
  name: 'nav_cut_off',
  rule: 'The NAV of a day applies to orders that are accepted, and to purchases whose money has reached the scheme, by the cut-off of that business day (IST).',
  versions: [
    {
      from: '2021-02-01',
      until: '2025-05-31',
      parameters: { ...times, redemption_overnight: '15:00' },
      source: [CUT_OFFS],
    },
    {
      from: '2025-06-01',
      until: null,
      parameters: { ...times, redemption_overnight: '19:00' },
      source: [
        CUT_OFFS,
        {
          title: 'SEBI circular on the cut-off of overnight funds, as quoted by Sarthak Law',
          number: null,
          date: '2025-04-22',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: null,
  refusal: null,
  applies_to: [
    'expected_nav_date of purchases and redemptions',
    'the sentence of the hosted page about the NAV',
    'traded_on in the sandbox',
  ],
});

/** The cut-offs of a version, `HH:MM` in IST. */
type CutOffs = (typeof navCutOff)['versions'][number]['parameters'];

/** What decides the NAV of an order. Instants are of the business clock. */
export interface NavOrder {
  readonly category: SchemeCategory;
  /** When the gateway accepted it; the present while it has not. */
  readonly accepted: Date;
  /**
   * The money of a purchase: when it reached the scheme or, with `by` (`HH:MM`), our account, where it is in time until then and until the
   * cut-off. Null for a redemption, which brings none.
   */
  readonly funds: { readonly at: Date; readonly by: string | null } | null;
}

/** The IST day whose NAV applies. Online orders: an overnight scheme has a later cut-off for them. */
export function navDateBy(
  cutOffs: CutOffs,
  { category, accepted, funds }: NavOrder,
  holidays: Holidays,
): string {
  const inTime = (at: Date, by: string) => dayOf(at, by, holidays);
  if (funds) {
    const by = category === 'other' ? cutOffs.purchase : cutOffs.purchase_liquid_overnight;
    // An override may set the cut-off before the time by which the gateway must have the money.
    const fundsBy = funds.by !== null && funds.by < by ? funds.by : by;
    const days = [inTime(accepted, by), inTime(funds.at, fundsBy)].sort();
    const last = days.at(-1) ?? '';
    return category === 'other' ? last : addDays(last, -1);
  }
  if (category === 'other') return inTime(accepted, cutOffs.redemption);
  const by = category === 'overnight' ? cutOffs.redemption_overnight : cutOffs.redemption;
  const day = istDate(accepted);
  const next = businessDaysAfter(day, 1, holidays);
  return inTime(accepted, by) === day ? addDays(next, -1) : next;
}

/** The day itself when it is a business day and the instant is not after the time, else the next business day. */
function dayOf(at: Date, time: string, holidays: Holidays): string {
  const day = istDate(at);
  const isInTime = isBusinessDay(day, holidays) && at.getTime() <= istInstant(day, time).getTime();
  return isInTime ? day : businessDaysAfter(day, 1, holidays);
}
