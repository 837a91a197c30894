import { BANKS, bankName, codeOfIfscBank } from './banks.ts';

describe('the banks for net banking', () => {
  it('given the list, when it is read, then each code is there once and has the form of a bank’s code', () => {
    const codes = BANKS.map(([code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[A-Z]{4}(_R)?$/);
  });

  it.each([
    ['HDFC', 'HDFC', 'HDFC Bank'],
    ['PUNB', 'PUNB_R', 'Punjab National Bank'],
    ['ZZZZ', null, null],
  ])('given an account at %s, when its bank is looked up, then it is %s', (ifsc, code, name) => {
    expect(codeOfIfscBank(ifsc)).toBe(code);
    expect(bankName(code ?? 'ZZZZ')).toBe(name);
  });
});
