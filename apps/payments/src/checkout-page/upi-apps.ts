/**
 * UPI apps by the scheme under which they take a UPI linking URI; the first takes any app that the phone has (NPCI UPI
 * linking specification). The others are what the apps themselves and payment providers publish for their intents.
 */
const APPS: readonly (readonly [name: string | null, prefix: string])[] = [
  [null, 'upi://pay'],
  ['Google Pay', 'tez://upi/pay'],
  ['PhonePe', 'phonepe://pay'],
  ['Paytm', 'paytmmp://pay'],
  ['BHIM', 'bhim://pay'],
];
const GENERAL = 'upi://pay?';

/** Links that open the apps with this payment; the name is null for whichever app the investor has. */
export function appLinks(uri: string): { readonly name: string | null; readonly href: string }[] {
  const query = uri.slice(GENERAL.length);
  return APPS.map(([name, prefix]) => ({ name, href: `${prefix}?${query}` }));
}

/** Why a URI may not be shown, or null: it must be UPI's, and for this amount in rupees. `tr` is the provider's own here. */
export function pageUriFault(uri: string, amount: string): string | null {
  if (!uri.startsWith(GENERAL) || !URL.canParse(uri)) return 'is no UPI linking URI';
  const { searchParams } = new URL(uri);
  if (Number(searchParams.get('am')) !== Number(amount)) return `is not for ${amount}`;
  return searchParams.get('cu') === 'INR' ? null : 'is not in INR';
}
