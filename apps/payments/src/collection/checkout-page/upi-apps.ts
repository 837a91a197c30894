/**
 * UPI apps and their prefix of a UPI linking URI. The first one opens any UPI app on the phone (NPCI UPI linking
 * specification). The others are published by the apps and by payment providers for their intents.
 */
const APPS: readonly (readonly [name: string | null, prefix: string])[] = [
  [null, 'upi://'],
  ['Google Pay', 'tez://upi/'],
  ['PhonePe', 'phonepe://'],
  ['Paytm', 'paytmmp://'],
  ['BHIM', 'bhim://'],
];
const GENERAL = 'upi://';

/** Links that open the apps with this payment or mandate; the name is null for the link that opens any app. */
export function appLinks(uri: string): { readonly name: string | null; readonly href: string }[] {
  const path = uri.slice(GENERAL.length);
  return APPS.map(([name, prefix]) => ({ name, href: `${prefix}${path}` }));
}
