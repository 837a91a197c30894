import { Decimal } from '@fundrail/contracts';
import { bankFault } from './debit.ts';

describe("the bank's result of a debit (SAND-4)", () => {
  it.each(['3', '2503', '2503.99'])('given ₹%s, then there are insufficient funds', (amount) => {
    expect(bankFault(Decimal.parse(amount))).toMatchObject({ code: 'insufficient_funds' });
  });

  it.each(['2500', '2530.30', '31'])('given ₹%s, then it is paid', (amount) => {
    expect(bankFault(Decimal.parse(amount))).toBeNull();
  });
});
