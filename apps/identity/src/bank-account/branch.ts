import ifsc from 'ifsc';
import { createRequire } from 'node:module';

/** The bank behind an IFSC. `bank_code` is its four letters, such as `HDFC`. */
export interface Bank {
  readonly bank_name: string;
  readonly bank_code: string;
}

const require = createRequire(import.meta.url);
const names = require('ifsc/src/banknames.json') as Readonly<Record<string, string>>;
/** Branches that a co-operative bank runs under another bank's letters: IFSC → the co-operative bank's own. */
const subletBranches = require('ifsc/src/sublet.json') as Readonly<Record<string, string>>;

/** The bank of a branch by the `ifsc` package's list (contract §1), or null when there is no such branch. Upper case. */
export function bankOfBranch(ifscCode: string): Bank | null {
  if (!ifsc.validate(ifscCode)) return null;
  const bankCode = subletBranches[ifscCode] ?? ifscCode.slice(0, 4);
  return { bank_code: bankCode, bank_name: names[bankCode] ?? bankCode };
}
