import { SEEDED_HOLIDAYS } from '@fundrail/contracts';
import type { RefundRow } from '../../payment/payment.tables.ts';
import { NOW, rupees } from '../../testing/payments.builder.ts';
import { expectedBy, moneyBack, moneyBackByReason, moneyOfFailure } from './money-of.ts';

const refund = (parts: Partial<RefundRow> = {}): RefundRow => ({
  ...{ reference: 'R1', tenant: 'demo', payment_id: 1, number: 1, amount: rupees('5000'), attempt: 1 },
  ...{
    reason: 'tpv_failed',
    status: 'CREATED',
    failure_code: null,
    accepted: false,
    returned_by: 'provider',
  },
  ...{ amc_order_ids: [1], created_at: NOW },
  ...parts,
});

describe('where the money of a payment that failed is', () => {
  it.each([
    ['user_cancelled', 'not_taken'],
    ['insufficient_funds', 'not_taken'],
    ['tpv_failed', 'perhaps_debited'],
    ['payment_expired', 'perhaps_debited'],
    ['payment_failed', 'perhaps_debited'],
    [null, 'perhaps_debited'],
  ] as const)('given %s and no money received, then %s', (failure_code, kind) => {
    expect(moneyOfFailure({ failure_code, refunds: [] })).toEqual({ kind });
  });

  it('given money that was received, then it goes back within seven business days, with any failure code', () => {
    // Monday, 21 December 2026; the 25th is a holiday.
    expect(moneyOfFailure({ failure_code: 'user_cancelled', refunds: [refund()] })).toMatchObject({
      ...{ kind: 'goes_back', reference: 'R1', amount: rupees('5000'), is_back: false, since: '2026-12-21' },
    });
    expect(expectedBy({ since: '2026-12-21' }, SEEDED_HOLIDAYS)).toBe('2026-12-31');
    const another = new Map([[2026, new Set([...(SEEDED_HOLIDAYS.get(2026) ?? []), '2026-12-28'])]]);
    expect(expectedBy({ since: '2026-12-21' }, another)).toBe('2027-01-01');
  });

  it('given a refund that was refused and sent again, then the new one counts, once', () => {
    const again = refund({ reference: 'R2', number: 2, status: 'SUCCESSFUL' });
    expect(moneyBack([refund({ status: 'FAILED' }), again])).toMatchObject({
      ...{ reference: 'R2', amount: rupees('5000'), is_back: true },
    });
    expect(moneyBack([refund({ status: 'FAILED' })])).toMatchObject({ reference: 'R1', is_back: false });
  });

  it('given several refunds, then they are added up, and are back when all are; a refund by the registrar is not counted', () => {
    const second = refund({ reference: 'R2', status: 'SUCCESSFUL', amount: rupees('1.50') });
    expect(moneyBack([refund(), second])).toMatchObject({ amount: rupees('5001.50'), is_back: false });
    expect(moneyBack([refund({ returned_by: 'registrar' })])).toBeNull();
  });

  it('given a payment that was made twice and an order that failed, then each has its own sum', () => {
    const twice = refund({ reason: 'duplicate_payment' });
    const undone = refund({
      reference: 'R2',
      reason: 'order_failed',
      amount: rupees('1.50'),
      status: 'SUCCESSFUL',
    });
    expect(moneyBackByReason([twice, undone])).toMatchObject([
      { reason: 'duplicate_payment', amount: rupees('5000'), is_back: false },
      { reason: 'order_failed', amount: rupees('1.50'), is_back: true },
    ]);
  });
});
