import { Decimal } from '@fundrail/contracts';

/** NPCI "UPI Linking Specification": `tr` is at most 35 characters; the amount has two decimals (contract §3). */
const REQUIRED = ['pa', 'pn', 'tr', 'am', 'cu'] as const;
const TR = /^[A-Za-z0-9._-]{1,35}$/;
const RUPEES = /^\d{1,15}(\.\d{1,2})?$/;

/** What the URI has to ask for, in rupees. `tr` null: the provider draws it, and writes the amount as it likes (`am=1`). */
export interface ExpectedUri {
  readonly tr: string | null;
  readonly amount: Decimal;
}

/** Why a URI of the provider cannot be shown to the investor as the way to pay this amount, or null. */
export function upiUriFault(uri: string, { tr, amount }: ExpectedUri): string | null {
  if (!uri.startsWith('upi://pay?')) return 'does not begin with upi://pay?';
  if (/[\s\u0000-\u001f]/u.test(uri)) return 'is not percent-encoded';
  const fields = new URLSearchParams(uri.slice('upi://pay?'.length));
  const missing = REQUIRED.find((name) => !fields.get(name));
  if (missing) return `has no ${missing}`;
  const [given, am] = [fields.get('tr') ?? '', fields.get('am') ?? ''];
  if (tr === null ? !TR.test(given) : given !== tr) return 'names another reference';
  const isExact =
    tr === null ? RUPEES.test(am) && Decimal.parse(am).compare(amount) === 0 : am === amount.toFixed2();
  if (!isExact) return 'names another amount';
  return fields.get('cu') === 'INR' ? null : 'names another currency';
}
