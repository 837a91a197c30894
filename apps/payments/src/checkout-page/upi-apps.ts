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
