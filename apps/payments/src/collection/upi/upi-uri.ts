import { Decimal } from '@fundrail/contracts';
import { isSamePayee } from '@fundrail/providers';

/** NPCI "UPI Linking Specification": `tr` is at most 35 characters; the amount has two decimals (FLOW-8). */
const REQUIRED = ['pa', 'pn', 'tr', 'am', 'cu'] as const;
const TR = /^[A-Za-z0-9._-]{1,35}$/;
const RUPEES = /^\d{1,15}(\.\d{1,2})?$/;

/** The expected amount in rupees and payee of a URI. `tr` is null when the provider generates it; then the format of the amount may vary (`am=1`). */
interface ExpectedUri {
  readonly tr: string | null;
  readonly amount: Decimal;
  readonly payee_name: string;
}

/** Why a provider's URI must not be shown to the investor for this payment, or null. */
export function upiUriFault(uri: string, { tr, amount, payee_name }: ExpectedUri): string | null {
  if (!uri.startsWith('upi://pay?')) return 'does not begin with upi://pay?';
  if (/[\s\u0000-\u001f]/u.test(uri)) return 'is not percent-encoded';
  const fields = new URLSearchParams(uri.slice('upi://pay?'.length));
  const repeated = REQUIRED.find((name) => fields.getAll(name).length > 1);
  if (repeated) return `has more than one ${repeated}`;
  const missing = REQUIRED.find((name) => !fields.get(name));
  if (missing) return `has no ${missing}`;
  const [given, am] = [fields.get('tr') ?? '', fields.get('am') ?? ''];
  if (tr === null ? !TR.test(given) : given !== tr) return 'names another reference';
  const isExact =
    tr === null ? RUPEES.test(am) && Decimal.parse(am).compare(amount) === 0 : am === amount.toFixed2();
  if (!isExact) return 'names another amount';
  if (fields.get('cu') !== 'INR') return 'names another currency';
  return isSamePayee(fields.get('pn') ?? '', payee_name) ? null : 'names another payee than operator_name';
}
