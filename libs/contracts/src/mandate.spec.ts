import { createMandate, mandate } from './mandate.dto.ts';

const VALID = { mandate_type: 'upi', bank_account_id: 8, provider_name: 'GATEWAYPOA', mandate_limit: 5000 };
const accepts = (changes: object) => createMandate.safeParse({ ...VALID, ...changes }).success;

it('a creation needs type, bank account and limit, a provider or the tenant’s, and nothing else (MAN-1)', () => {
  expect(accepts({})).toBe(true);
  for (const field of Object.keys(VALID))
    expect([field, accepts({ [field]: undefined })]).toEqual([field, field === 'provider_name']);
});

it('a mandate is by UPI, in either case, or an e-mandate, at one of two providers (MAN-2)', () => {
  expect(createMandate.parse(VALID).mandate_type).toBe('UPI');
  for (const mandate_type of ['UPI', 'E_MANDATE']) expect(accepts({ mandate_type })).toBe(true);
  for (const mandate_type of ['NACH', 'e_mandate']) expect(accepts({ mandate_type })).toBe(false);
  expect(accepts({ provider_name: 'SDKVENDOR' })).toBe(true);
  expect(accepts({ provider_name: 'RAZORPAY' })).toBe(false);
});

it('a mandate has the fields of the specification and no others (MAN-5)', () => {
  const fields =
    'id, object, bank_account_id, mandate_ref, mandate_token, mandate_type, mandate_status, mandate_limit, valid_from, valid_to, umrn, provider_id, provider_name, rejected_reason, created_at, received_at, submitted_at, approved_at, rejected_at, cancelled_at, paused_at, expired_at, source_ref_id';
  expect(Object.keys(mandate.shape).sort()).toEqual(fields.split(', ').sort());
});
