import type { SchemeCategory } from '@fundrail/contracts';

/** Until when (IST) gatewaypoa must have an investor's money, so that it reaches the scheme before the cut-off of `nav_cut_off`. */
export const GATEWAYPOA_MONEY_BY: Readonly<Record<SchemeCategory, string>> = {
  liquid: '13:15',
  overnight: '13:15',
  other: '14:45',
};
