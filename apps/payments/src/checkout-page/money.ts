import type { Decimal } from '@fundrail/contracts';

/** `₹1,00,000.00`: rupees in Indian grouping. */
export function inRupees(amount: Decimal): string {
  const [whole = '0', paise = '00'] = amount.toFixed2().split('.');
  return `₹${whole.replaceAll(/\B(?=(\d{2})*\d{3}$)/g, ',')}.${paise}`;
}
