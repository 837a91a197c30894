import { istInstant, SEEDED_HOLIDAYS } from '@fundrail/contracts';
import fc from 'fast-check';
import { obsolete } from '@fundrail/service-kit/aggregate';
import { transition } from '@fundrail/state-machines';
import { createInstallment } from '../mf-redemption/mf-redemption.ts';
import { anInstallment } from '../testing/installment.builder.ts';
import { aPurchase, MONDAY } from '../testing/purchase.builder.ts';
import { confirmationDeadline, dueAfter, nextUnpaidSweep } from './order-due.ts';
import { machineOf, type OrderStep } from './order.ts';

describe('the deadline of a confirmation', () => {
  it.each([
    ['2026-12-21', '10:00', '2027-01-01', 'Christmas and a weekend between'],
    ['2026-12-21', '00:00', '2027-01-01', 'the first minute of the day'],
    ['2026-12-21', '23:59', '2027-01-01', 'the last minute of the day'],
    ['2026-12-25', '12:00', '2027-01-06', 'reviewed on a holiday'],
  ])('reviewed on %s at %s IST ends at the start of %s: %s', (date, time, expected) => {
    expect(confirmationDeadline(istInstant(date, time), SEEDED_HOLIDAYS)).toEqual(istInstant(expected));
  });

  it('is counted by the given holidays', () => {
    const holidays = new Map([[2026, new Set(['2026-12-22'])]]);
    expect(confirmationDeadline(MONDAY, holidays)).toEqual(istInstant('2027-01-01'));
    expect(confirmationDeadline(MONDAY, new Map([[2026, new Set<string>()]]))).toEqual(
      istInstant('2026-12-31'),
    );
  });
});

describe('the sweep of unpaid orders (ORD-25)', () => {
  it.each([
    ['22:29', '2026-12-21'],
    ['22:30', '2026-12-21'],
    ['22:31', '2026-12-22'],
    ['23:00', '2026-12-22'],
    ['23:59', '2026-12-22'],
    ['00:00', '2026-12-21'],
  ])('submitted on 21 December at %s IST is swept on %s', (time, expected) => {
    const submitted = istInstant('2026-12-21', time);
    expect(nextUnpaidSweep(submitted, submitted)).toEqual(istInstant(expected, '23:00'));
  });

  it('is at 23:00 IST, at least 30 minutes after the submission and within a day of that', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 86_400_000 }), (ms) => {
        const submitted = new Date(istInstant('2026-01-01').getTime() + ms);
        const sweep = nextUnpaidSweep(submitted, submitted);
        const wait = sweep.getTime() - submitted.getTime();
        expect(sweep.toISOString().slice(11)).toBe('17:30:00.000Z');
        expect(wait).toBeGreaterThanOrEqual(30 * 60_000);
        expect(wait).toBeLessThan(30 * 60_000 + 86_400_000);
      }),
    );
  });
});

describe('the questions to the gateway', () => {
  const installment = createInstallment('demo', anInstallment(), 1001, MONDAY);
  const kindsOf = (step: OrderStep) => dueAfter(step, MONDAY).map(({ kind }) => kind);

  it('have separate kinds for installments, so that no other order waits behind them', () => {
    const purchase = { row: aPurchase(), trigger: 'create', from: null, events: [] } as const;
    expect(kindsOf(purchase)).toEqual(['order.review']);
    expect(kindsOf(installment)).toEqual(['installment.review']);
  });

  it('are removed by the kind that they were scheduled under', () => {
    const submitted = { ...installment.row, state: 'submitted' } as const;
    const step = transition(machineOf(submitted), submitted, 'succeed', { succeeded_at: MONDAY });
    expect(dueAfter(step, MONDAY)).toEqual([obsolete('installment.status')]);
  });
});
