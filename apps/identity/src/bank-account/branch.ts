import { createRequire } from 'node:module';

/** The bank of an IFSC. `bank_code` is its four letters, such as `HDFC`. */
export interface Bank {
  readonly bank_name: string;
  readonly bank_code: string;
}

// Only the package's lists: its own look-up loads an HTTP client that fundrail does not need (docs/security.md).
const require = createRequire(import.meta.url);
/** The branches of each bank: the last six characters of their codes, as a number if all six are digits. */
const branches = require('ifsc/src/IFSC.json') as Readonly<Record<string, readonly (number | string)[]>>;
const names = require('ifsc/src/banknames.json') as Readonly<Record<string, string>>;
/** Branches of co-operative banks under another bank's letters: IFSC → the co-operative bank's own letters. */
const subletBranches = require('ifsc/src/sublet.json') as Readonly<Record<string, string>>;

/** Reserve Bank of India: the bank's four letters, a zero, and six characters for the branch. */
const IFSC = /^([A-Z]{4})0([A-Z0-9]{6})$/;

/** The bank of a branch by the `ifsc` package's list (INV-6), or null when there is no such branch. The code must be in upper case. */
export function bankOfBranch(ifscCode: string): Bank | null {
  const [, bank = '', branch = ''] = IFSC.exec(ifscCode) ?? [];
  const ofBank = Object.hasOwn(branches, bank) ? branches[bank] : undefined;
  if (!ofBank?.includes(/^\d+$/.test(branch) ? Number(branch) : branch)) return null;
  const bankCode = subletBranches[ifscCode] ?? ifscCode.slice(0, 4);
  return { bank_code: bankCode, bank_name: names[bankCode] ?? bankCode };
}
