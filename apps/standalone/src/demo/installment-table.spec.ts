import { dateTable, saturdayTwoMonthsOn, whyMoved } from './installment-table.ts';

describe("the demo's table of installments", () => {
  it.each([
    ['2026-11-22T09:23:14.341+05:30', '2027-01-02'],
    ['2026-12-31T23:59:59.999+05:30', '2027-02-06'],
    ['2026-06-01T00:00:00.000+05:30', '2026-08-01'],
  ])('given it is %s, a plan that starts then meets the Saturday %s', (now, saturday) => {
    expect(saturdayTwoMonthsOn(now)).toBe(Number(saturday.slice(8)));
    expect(new Date(`${saturday}T00:00:00Z`).getUTCDay()).toBe(6);
  });

  it.each([
    ['2026-12-24', '2026-12-24', '-'],
    ['2026-12-25', '2026-12-28', 'holiday, Saturday, Sunday'],
    ['2026-12-27', '2026-12-28', 'Sunday'],
  ])('explains why an installment of %s is made on %s: %s', (nominal, actual, why) => {
    expect(whyMoved(nominal, actual)).toBe(why);
  });

  it('has the nominal dates a month apart, beside the actual dates', () => {
    const installments = [
      { installment_number: 1, scheduled_on: '2026-12-02', state: 'cancelled', redeemed_amount: null },
      { installment_number: 2, scheduled_on: '2027-01-04', state: 'successful', redeemed_amount: 2000 },
    ];
    expect(dateTable('2026-12-02', installments).split('\n')).toEqual([
      'no.  nominal     actual      why moved         state       redeemed',
      '1    2026-12-02  2026-12-02  -                 cancelled   -',
      '2    2027-01-02  2027-01-04  Saturday, Sunday  successful  ₹2000',
    ]);
  });
});
