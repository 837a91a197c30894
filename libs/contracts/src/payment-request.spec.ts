import fc from 'fast-check';
import { createPayment, paymentFilters, postbackUrlFault } from './payment-request.dto.ts';
import { z } from 'zod';

const valid = {
  amc_order_ids: [11, 12],
  payment_postback_url: 'https://app.example/back',
  method: 'UPI',
  upi: { type: 'URI' },
  bank_account_id: 7,
};
const faultsOf = (input: unknown) =>
  createPayment.safeParse(input).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ??
  [];

describe('the request that creates a payment', () => {
  it.each([undefined, null])('takes method UPI with upi %s: the hosted page (FLOW-15)', (upi) => {
    expect(createPayment.parse({ ...valid, upi })).toMatchObject({ method: 'UPI' });
  });

  it.each(['URI', 'uri', 'Uri'])('takes upi.type %s and reads it in lower case (PAY-9)', (type) => {
    expect(createPayment.parse({ ...valid, upi: { type } }).upi?.type).toBe('uri');
  });

  it.each([
    [{ amc_order_ids: [] }, /^amc_order_ids/],
    [{ amc_order_ids: [1, 1] }, /^amc_order_ids: must not contain an order twice/],
    [{ amc_order_ids: Array.from({ length: 11 }, (_, index) => index + 1) }, /^amc_order_ids/],
    [{ amc_order_ids: [0] }, /^amc_order_ids.0/],
    [{ amc_order_ids: ['011'] }, /^amc_order_ids.0/],
    [{ amc_order_ids: ['11', 11] }, /^amc_order_ids: must not contain an order twice/],
    [{ method: 'upi' }, /^method/],
    [{ method: undefined }, /^method: must be UPI when upi is given/],
    [{ upi: { type: 'qr' } }, /^upi.type/],
    [{ upi: { type: 'collect' } }, /^upi.vpa: is required when upi.type is collect/],
    [{ upi: { type: 'collect', vpa: 'no-handle' } }, /^upi.vpa: must be a UPI ID/],
    [{ upi: { type: 'uri', vpa: 'name@bank' } }, /^upi.vpa: is allowed only/],
    [{ upi: { type: 'uri', colour: 'red' } }, /^upi/],
    [{ bank_account_id: -1 }, /^bank_account_id/],
    [{ bank_account_id: 1.5 }, /^bank_account_id/],
    [{ provider_name: 'UNKNOWN' }, /^provider_name/],
    [{ source_ref_id: '' }, /^source_ref_id/],
    [{ source_ref_id: 'a'.repeat(101) }, /^source_ref_id/],
    [{ source_ref_id: 'a\u0000' }, /^source_ref_id/],
    [{ payment_postback_url: `https://app.example/${'a'.repeat(2048)}` }, /^payment_postback_url/],
    [{ payment_postback_url: 'ftp://app.example' }, /^payment_postback_url/],
    [{ payment_postback_url: 'https:app.example' }, /^payment_postback_url/],
    [{ payment_postback_url: 'https:///app.example' }, /^payment_postback_url/],
    [
      { display_names: [{ amc_order_id: 13, display_name: 'Fund' }] },
      /^display_names.0.amc_order_id: must be one of/,
    ],
    [
      { display_names: [11, 11].map((amc_order_id) => ({ amc_order_id, display_name: 'Fund' })) },
      /^display_names.1.amc_order_id: must not be listed twice/,
    ],
    [
      { display_names: [{ amc_order_id: 11, display_name: 'a\u202eb' }] },
      /^display_names.0.display_name: .*direction/,
    ],
    [
      { display_names: [{ amc_order_id: 11, display_name: 'a'.repeat(121) }] },
      /^display_names.0.display_name/,
    ],
    [{ display_names: [{ amc_order_id: 11 }] }, /^display_names.0.display_name/],
    [{ amount: 1 }, /./],
  ])('refuses %j, naming the field (PAY-9)', (change, fault) => {
    expect(faultsOf({ ...valid, ...change })).toContainEqual(expect.stringMatching(fault));
  });

  it('accepts or refuses any input, and never throws', () => {
    const field = fc.oneof(
      fc.anything(),
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.constantFrom(...Object.values(valid)),
    );
    const keys = [
      ...Object.keys(valid),
      'provider_name',
      'source_ref_id',
      'display_names',
      '__proto__',
      'extra',
    ];
    const body = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...keys), field));
    fc.assert(fc.property(body, (input) => typeof createPayment.safeParse(input).success === 'boolean'));
  });
});

const HOST_RULE = 'must have a host of letters, digits, dots and hyphens';

it.each([
  ['https://app.example/back?x=1', true, null],
  ['http://localhost:3000/back', true, null],
  ['http://127.0.0.1/back', true, null],
  ['http://[::1]:8080/', true, null],
  ['http://localhost:3000/back', false, 'must be https'],
  ['http://app.example/back', true, 'must be https, or http to localhost'],
  ['https://user:secret@app.example/', true, 'must not contain credentials'],
  ['javascript:alert(1)', true, 'must be https, or http to localhost'],
  ['back', true, 'must be a URL'],
  ['https://café.example:8443/', true, null],
  ['https://[2001:db8::1]:8443/', true, null],
  ["https://app.example;script-src'unsafe-inline'/", true, HOST_RULE],
  ['https://app.example,default-src/', true, HOST_RULE],
  ["https://'unsafe-inline'/", true, HOST_RULE],
  ['https://*.example/', true, HOST_RULE],
  ['https://a_b.example/', true, HOST_RULE],
  ['https://app.example%3Bsandbox/', true, HOST_RULE],
  ['https://app.example script-src/', true, 'must be a URL'],
  ['https://app.example"/', true, HOST_RULE],
])('the postback address %s (sandbox: %s): %s (PAY-8)', (url, sandbox, fault) => {
  expect(postbackUrlFault(url, sandbox)).toBe(fault);
});

describe('the filters of the list', () => {
  const filters = z.strictObject(paymentFilters);
  it('read order ids separated by commas (CONV-15)', () => {
    expect(filters.parse({ amc_order_ids: '11,12' }).amc_order_ids).toEqual([11, 12]);
  });
  it.each(['', ',', '1,,2', 'a', '1e3', '0', '-1', '1.5', '99999999999999999'])('refuse %j', (text) => {
    expect(filters.safeParse({ amc_order_ids: text }).success).toBe(false);
  });
});
