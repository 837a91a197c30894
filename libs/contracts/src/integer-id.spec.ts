import { createPayment } from './payment-request.dto.ts';
import { createMandate } from './mandate.dto.ts';
import { authoriseMandate, debitMandate } from './mandate-payment.dto.ts';
import { mandate } from './mandate.dto.ts';
import { payment } from './payment.dto.ts';

const HEX = '0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';

describe('an integer reference', () => {
  it.each([
    [
      createPayment,
      { amc_order_ids: [`mfp_${HEX}`] },
      'amc_order_ids.0',
      'must be an integer: send old_id instead of the mfp_ id',
    ],
    [
      debitMandate,
      { mandate_id: 1, amc_order_ids: [`mfrd_${HEX}`] },
      'amc_order_ids.0',
      'must be an integer: send old_id instead of the mfrd_ id',
    ],
    [
      authoriseMandate,
      { mandate_id: `man_${HEX}` },
      'mandate_id',
      'must be an integer: send id instead of the man_ id',
    ],
    [
      createMandate,
      { bank_account_id: `bac_${HEX}` },
      'bank_account_id',
      'must be an integer: send old_id instead of the bac_ id',
    ],
  ])('names the field to send in place of a prefixed id: %# (CONV-7)', (schema, body, field, message) => {
    const issues = schema.safeParse(body).error?.issues ?? [];
    expect(issues.map(({ path, message: said }) => [path.join('.'), said])).toContainEqual([field, message]);
  });

  it('may be its digits as a string (CONV-40)', () => {
    const body = { mandate_id: '501', amc_order_ids: ['1001'] };
    expect(debitMandate.parse(body)).toEqual({ mandate_id: 501, amc_order_ids: [1001] });
  });

  it.each(['0', '01', '-1', '1.0', '1e3', ' 1', '', '1234567890123456'])('is not the text "%s"', (text) => {
    expect(authoriseMandate.safeParse({ mandate_id: text }).success).toBe(false);
  });

  it('is refused with the usual message when it is not an id', () => {
    const issues = debitMandate.safeParse({ mandate_id: 'x', amc_order_ids: [1] }).error?.issues;
    expect(issues).toMatchObject([{ code: 'invalid_type', path: ['mandate_id'] }]);
    expect(issues?.[0]?.message).toMatch(/^Invalid/);
  });
});

describe('a payment and a mandate in an event of an older release', () => {
  it('is read with defaults for the missing fields', () => {
    expect(payment.shape.object.parse(undefined)).toBe('payment');
    expect(payment.shape.upi.parse(undefined)).toBeNull();
    expect(mandate.shape.object.parse(undefined)).toBe('mandate');
  });
});
