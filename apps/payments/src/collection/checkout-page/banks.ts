/**
 * Banks for net banking, by the provider's code: the first four letters of their IFSC, with `_R` for
 * retail banking where a bank has two. Codes and names: Razorpay `GET /v1/methods` and its list of banks for third-party
 * validation (https://razorpay.com/docs/payments/payment-methods/netbanking and …/third-party-validation/bank-list), read on
 * 2026-11-21, without banks that have merged. The largest come first, the others in the order of their names.
 */
export const BANKS: readonly (readonly [code: string, name: string])[] = [
  ['SBIN', 'State Bank of India'],
  ['HDFC', 'HDFC Bank'],
  ['ICIC', 'ICICI Bank'],
  ['UTIB', 'Axis Bank'],
  ['KKBK', 'Kotak Mahindra Bank'],
  ['PUNB_R', 'Punjab National Bank'],
  ['BARB_R', 'Bank of Baroda'],
  ['AUBL', 'AU Small Finance Bank'],
  ['BDBL', 'Bandhan Bank'],
  ['BKID', 'Bank of India'],
  ['MAHB', 'Bank of Maharashtra'],
  ['CNRB', 'Canara Bank'],
  ['CBIN', 'Central Bank of India'],
  ['CIUB', 'City Union Bank'],
  ['COSB', 'Cosmos Co-operative Bank'],
  ['CSBK', 'CSB Bank'],
  ['DBSS', 'DBS Bank'],
  ['DCBL', 'DCB Bank'],
  ['DEUT', 'Deutsche Bank'],
  ['DLXB', 'Dhanlaxmi Bank'],
  ['ESFB', 'Equitas Small Finance Bank'],
  ['FDRL', 'Federal Bank'],
  ['IBKL', 'IDBI Bank'],
  ['IDFB', 'IDFC FIRST Bank'],
  ['IDIB', 'Indian Bank'],
  ['IOBA', 'Indian Overseas Bank'],
  ['INDB', 'IndusInd Bank'],
  ['JAKA', 'Jammu and Kashmir Bank'],
  ['JSFB', 'Jana Small Finance Bank'],
  ['KARB', 'Karnataka Bank'],
  ['KVBL', 'Karur Vysya Bank'],
  ['PSIB', 'Punjab & Sind Bank'],
  ['RATN', 'RBL Bank'],
  ['SRCB', 'Saraswat Co-operative Bank'],
  ['SIBL', 'South Indian Bank'],
  ['SCBL', 'Standard Chartered Bank'],
  ['SVCB', 'SVC Co-operative Bank'],
  ['TMBL', 'Tamilnad Mercantile Bank'],
  ['UCBA', 'UCO Bank'],
  ['UJVN', 'Ujjivan Small Finance Bank'],
  ['UBIN', 'Union Bank of India'],
  ['YESB', 'YES Bank'],
];

const NAMES: ReadonlyMap<string, string> = new Map(BANKS);

/** The name of the bank with the provider's code, or null when it is not on the list. */
export function bankName(code: string): string | null {
  return NAMES.get(code) ?? null;
}

/** The provider's code for the bank of an account, by the bank code of its IFSC; null when it is not on the list. */
export function codeOfIfscBank(bank: string): string | null {
  return [bank, `${bank}_R`].find((code) => NAMES.has(code)) ?? null;
}
