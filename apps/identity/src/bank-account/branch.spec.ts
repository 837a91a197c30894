import { bankOfBranch } from './branch.ts';

describe('the bank of a branch', () => {
  it('is told with its name and code', () => {
    expect(bankOfBranch('HDFC0001330')).toEqual({ bank_code: 'HDFC', bank_name: 'HDFC Bank' });
    expect(bankOfBranch('SBIN0000001')).toEqual({ bank_code: 'SBIN', bank_name: 'State Bank of India' });
  });

  it.each(['HDFC0ZZZZZZ', 'ZZZZ0000001', 'HDFC1001330'])('is unknown for %s', (code) => {
    expect(bankOfBranch(code)).toBeNull();
  });
});
