import { Decimal } from '@fundrail/contracts';
import type { MandateRegistration } from './mandate-ports.ts';
import { isSamePayee } from './payee-name.ts';

/** NPCI's codes in a mandate linking URI: the purpose of the mandate, and how the investor opens it. */
export interface MandateUriCodes {
  readonly purpose: string;
  readonly mode: string;
}

/** MAN-16: `purpose=14`, `mode=04`. */
export const MANDATE_URI_CODES: MandateUriCodes = { purpose: '14', mode: '04' };

/** The contents of a mandate linking URI. `limit` has two decimals, the dates are `YYYY-MM-DD` in India. */
interface MandateUriParts extends MandateUriCodes {
  readonly payee_vpa: string;
  readonly payee_name: string;
  readonly mandate_name: string;
  readonly reference: string;
  readonly limit: string;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly merchant_category: string;
  readonly note: string;
}

/** NPCI's mandate linking URI (MAN-16), percent-encoded. */
export function mandateUri(parts: MandateUriParts): string {
  const parameters = {
    ...{ pa: parts.payee_vpa, pn: parts.payee_name, mn: parts.mandate_name, tr: parts.reference },
    ...{ am: parts.limit, cu: 'INR', amrule: 'MAX', recur: 'ASPRESENTED' },
    validitystart: npciDate(parts.valid_from),
    validityend: npciDate(parts.valid_to),
    ...{ rev: 'Y', purpose: parts.purpose, mode: parts.mode, mc: parts.merchant_category },
    ...{ tn: parts.note, txnType: 'CREATE' },
  };
  // `@` is legal in a query (RFC 3986 §3.4), and UPI apps expect it in `pa`; a space must be %20, never `+`.
  const encoded = (text: string) => encodeURIComponent(text).replaceAll('%40', '@');
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encoded(value)}`);
  return `upi://mandate?${query.join('&')}`;
}

const BEGINNING = 'upi://mandate?';
const REQUIRED = ['pa', 'pn', 'mn', 'mc', 'purpose', 'mode'] as const;
const TR = /^[A-Za-z0-9]{1,35}$/;

type Asked = Pick<MandateRegistration, 'reference' | 'limit' | 'valid_from' | 'valid_to' | 'payee_name'>;

/**
 * Why a provider's URI must not be shown to the investor for this mandate, or null. The terms (amount, dates, rules, payee name)
 * must be those that we requested, and `tr` must be ours, unless the provider `drawsTr`. Then it also formats `am` in its own way.
 */
export function mandateUriFault(
  uri: string,
  asked: Asked,
  { drawsTr }: { readonly drawsTr: boolean } = { drawsTr: false },
): string | null {
  if (!uri.startsWith(BEGINNING)) return `does not begin with ${BEGINNING}`;
  if (!/^[\x21-\x7e]*$/.test(uri) || uri.includes('+')) return 'is not percent-encoded';
  const fields = new URLSearchParams(uri.slice(BEGINNING.length));
  const said = { tr: fields.getAll('tr').join('\n'), am: fields.getAll('am').join('\n') };
  const own = drawsTr ? { tr: said.tr, ...(isSameAmount(said.am, asked.limit) && { am: said.am }) } : {};
  const wrong = Object.entries({ ...expectedOf(asked), ...own }).find(
    ([name, value]) => fields.getAll(name).join('\n') !== value,
  );
  if (wrong) return `has another ${wrong[0]}`;
  if (!TR.test(said.tr)) return 'has a tr that is not at most 35 alphanumerics';
  const missing = REQUIRED.find((name) => !fields.get(name));
  if (missing) return `has no ${missing}`;
  if (!isSamePayee(fields.getAll('pn').join('\n'), asked.payee_name)) return 'names another payee';
  // An app may take the first or the last of two.
  const repeated = REQUIRED.find((name) => fields.getAll(name).length > 1);
  return repeated ? `repeats ${repeated}` : null;
}

function isSameAmount(text: string, limit: Decimal): boolean {
  return /^\d{1,15}(\.\d{1,2})?$/.test(text) && Decimal.parse(text).equals(limit);
}

function expectedOf({ reference, limit, valid_from, valid_to }: Asked): Readonly<Record<string, string>> {
  return {
    ...{ tr: reference, am: limit.toFixed2(), cu: 'INR', amrule: 'MAX', recur: 'ASPRESENTED' },
    ...{ validitystart: npciDate(valid_from), validityend: npciDate(valid_to) },
    ...{ rev: 'Y', txnType: 'CREATE' },
  };
}

/** `2026-12-21` as `21122026`. */
function npciDate(date: string): string {
  return date.split('-').reverse().join('');
}
