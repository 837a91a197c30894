import {
  paymentOfReference,
  paymentReference,
  refundReference,
  transferReference,
} from '@fundrail/providers';
import fc from 'fast-check';

it('every reference can be parsed, and fits NPCI (35 alphanumerics)', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999_999_999 }),
      fc.integer({ min: 1, max: 99_999 }),
      (id, number) => {
        for (const reference of [paymentReference(id), transferReference(id), refundReference(id, number)]) {
          expect(reference).toMatch(/^[A-Z0-9]{1,35}$/);
          expect(paymentOfReference(reference)).toBe(id);
        }
      },
    ),
  );
});

it.each(['', 'P1', 'X000000000001', 'P000000000001001', 'R000000000001', 'mfp_0193'])(
  '%s is not ours',
  (reference) => {
    expect(paymentOfReference(reference)).toBeNull();
  },
);
