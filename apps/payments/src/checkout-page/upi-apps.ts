/**
 * UPI apps by the scheme under which they take a UPI linking URI; the first takes any app that the phone has (NPCI UPI
 * linking specification). The others are what the apps themselves and payment providers publish for their intents.
 */
const APPS: readonly (readonly [name: string | null, prefix: string])[] = [
  [null, 'upi://'],
  ['Google Pay', 'tez://upi/'],
  ['PhonePe', 'phonepe://'],
  ['Paytm', 'paytmmp://'],
  ['BHIM', 'bhim://'],
];
const GENERAL = 'upi://';

/** Links that open the apps with this payment or mandate; the name is null for whichever app the investor has. */
export function appLinks(uri: string): { readonly name: string | null; readonly href: string }[] {
  const asked = uri.slice(GENERAL.length);
  return APPS.map(([name, prefix]) => ({ name, href: `${prefix}${asked}` }));
}
