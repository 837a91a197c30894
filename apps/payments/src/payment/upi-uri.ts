/** NPCI "UPI Linking Specification": `tr` is at most 35 characters; the amount has two decimals (contract §3). */
const REQUIRED = ['pa', 'pn', 'tr', 'am', 'cu'] as const;

/** Why a URI of the provider cannot be shown to the investor as the way to pay this amount, or null. */
export function upiUriFault(
  uri: string,
  expected: { readonly tr: string; readonly am: string },
): string | null {
  if (!uri.startsWith('upi://pay?')) return 'does not begin with upi://pay?';
  if (/[\s\u0000-\u001f]/u.test(uri)) return 'is not percent-encoded';
  const fields = new URLSearchParams(uri.slice('upi://pay?'.length));
  const missing = REQUIRED.find((name) => !fields.get(name));
  if (missing) return `has no ${missing}`;
  if (fields.get('tr') !== expected.tr) return 'names another reference';
  if (fields.get('am') !== expected.am) return 'names another amount';
  return fields.get('cu') === 'INR' ? null : 'names another currency';
}
