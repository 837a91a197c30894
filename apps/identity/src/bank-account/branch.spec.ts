import { bankOfBranch } from './branch.ts';

describe('the bank of a branch (INV-6)', () => {
  it('is returned with its name and code', () => {
    expect(bankOfBranch('HDFC0001330')).toEqual({ bank_code: 'HDFC', bank_name: 'HDFC Bank' });
    expect(bankOfBranch('SBIN0000001')).toEqual({ bank_code: 'SBIN', bank_name: 'State Bank of India' });
  });

  it('is found by letters, and by numbers with leading zeros', () => {
    expect(bankOfBranch('HDFC0000001')?.bank_code).toBe('HDFC');
    expect(bankOfBranch('ABNA0NEFT02')?.bank_code).toBe('ABNA');
  });

  it.each(['HDFC0ZZZZZZ', 'ZZZZ0000001', 'HDFC1001330', 'HDFC01330', 'hdfc0001330', 'constructor', ''])(
    'is unknown for %s',
    (code) => {
      expect(bankOfBranch(code)).toBeNull();
    },
  );
});
