import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { parseJson, stringifyJson } from '../json.ts';
import { COMPATIBILITIES, compatibilityOf, NAMED_FIELDS, renamedIn } from './names.ts';
import { OBJECTS, type ObjectRules } from './objects.ts';
import {
  failureCodeFor,
  fromUpstream,
  queryFromUpstream,
  refusalForUpstream,
  toUpstream,
} from './translate.ts';

const GOLDEN = new URL('../events/golden/', import.meta.url);
const golden = readdirSync(GOLDEN).map(
  (name) => [name, readFileSync(new URL(name, GOLDEN), 'utf8')] as const,
);
const aliases = Object.entries(NAMED_FIELDS).flatMap(([field, names]) =>
  names.flatMap(({ ours, theirs }) => theirs.map((alias) => [field, alias, ours] as const)),
);

/** Without what the upstream's objects have in addition, and with our values. */
function ours(event: unknown): unknown {
  const { object, ...rest } = event as { object: Record<string, unknown> };
  const rules = (OBJECTS as Readonly<Record<string, ObjectRules>>)[String(object['object'])];
  const ourValue = (field: string, value: unknown) =>
    Object.entries(rules?.values[field] ?? {}).find(([, theirs]) => theirs === value)?.[0] ?? value;
  const fields = Object.entries(object)
    .filter(([field]) => !Object.hasOwn(rules?.added ?? {}, field))
    .map(([field, value]) => [field, ourValue(field, value)] as const);
  return { object: Object.fromEntries(fields), ...rest };
}

describe('names of the upstream (COMP-2, COMP-3)', () => {
  it('are these', () => {
    expect(aliases).toEqual([
      ['gateway', 'cybrillapoa', 'gatewaypoa'],
      ['gateway', 'ondc', 'gatewaypoa'],
      ['gateway', 'rta', 'gatewaypoa'],
      ['provider_name', 'CYBRILLAPOA', 'GATEWAYPOA'],
      ['provider_name', 'ONDC', 'GATEWAYPOA'],
      ['provider_name', 'RAZORPAY', 'SDKVENDOR'],
      ['provider_name', 'BILLDESK', 'SDKVENDOR'],
    ]);
  });

  it.each(aliases)('reads %s %s as %s, at any depth', (field, alias, ours) => {
    expect(fromUpstream({ [field]: alias })).toEqual({ [field]: ours });
    expect(fromUpstream({ mf_purchases: [{ [field]: alias }] })).toEqual({
      mf_purchases: [{ [field]: ours }],
    });
    expect(fromUpstream({ [field]: ours })).toEqual({ [field]: ours });
  });

  it.each([
    ['upstream', 'cybrillapoa', 'CYBRILLAPOA'],
    ['upstream/ondc', 'ondc', 'ONDC'],
    ['upstream/rta', 'rta', 'CYBRILLAPOA'],
  ] as const)('writes the names of %s', (compatibility, gateway, provider_name) => {
    const answer = {
      data: [{ gateway: 'gatewaypoa', provider_name: 'GATEWAYPOA' }],
      object: { provider_name: 'SDKVENDOR', sdk_options: { sdkvendor: { key: 'k' }, key: 'k' } },
    };
    expect(toUpstream(answer, compatibility)).toEqual({
      data: [{ gateway, provider_name }],
      object: { provider_name: 'RAZORPAY', sdk_options: { razorpay: { key: 'k' }, key: 'k' } },
    });
  });

  it('leaves every other field and key alone, also where its text is a name', () => {
    const body = {
      name: 'ONDC',
      display_names: [{ display_name: 'rta' }],
      sdkvendor: 'ondc',
      toString: 'rta',
    };
    expect(fromUpstream(body)).toEqual(body);
    const answer = {
      operator_name: 'GATEWAYPOA',
      sdkvendor: { a: 1 },
      failed_reason: 'SDKVENDOR',
      none: null,
    };
    expect(toUpstream(answer, 'upstream')).toEqual(answer);
  });

  it.each(COMPATIBILITIES)(
    'of %s change only the names and the listed values and fields of an event',
    (compatibility) => {
      for (const [name, text] of golden) {
        const theirs = toUpstream(parseJson(text), compatibility);
        expect([name, stringifyJson(ours(fromUpstream(theirs)))]).toEqual([
          name,
          stringifyJson(parseJson(text)),
        ]);
        expect(stringifyJson(toUpstream(theirs, compatibility))).toBe(stringifyJson(theirs));
        expect(stringifyJson(theirs)).not.toMatch(
          /"(gateway|provider_name)":"(gatewaypoa|GATEWAYPOA|SDKVENDOR)"/,
        );
      }
    },
  );

  it.each([
    [
      { object: 'mf_purchase', type: 'fresh' },
      { type: 'purchase', retried_at: null },
    ],
    [
      { object: 'mf_purchase', type: 'additional' },
      { type: 'additional_purchase', allotted_nav_date: null },
    ],
    [
      { object: 'mf_redemption', type: 'all' },
      { type: 'all', redemption_mode: 'normal', redeemed_nav_date: null },
    ],
    [
      { object: 'mf_redemption_plan', state: 'active' },
      { auto_cancelled: null, cancellation_scheduled_on: null },
    ],
    [{ object: 'payment', failure_code: 'payment_expired' }, { failure_code: 'fp_payment_expired' }],
  ])('show %j with %j, and no other object (COMP-6)', (object, shown) => {
    expect(toUpstream({ data: [object] }, 'upstream')).toEqual({ data: [expect.objectContaining(shown)] });
    const other = { ...object, object: 'event' };
    expect(toUpstream(other, 'upstream')).toEqual(other);
  });

  it('have these further fields, by kind of object (COMP-6)', () => {
    const addedTo = (object: string) => Object.keys(toUpstream({ object }, 'upstream') as object).slice(1);
    expect(addedTo('mf_purchase')).toEqual(['server_ip', 'allotted_nav_date', 'retried_at']);
    expect(addedTo('mf_redemption')).toEqual([
      ...['server_ip', 'redeemed_nav_date', 'retried_at', 'redemption_mode'],
      ...['redemption_bank_account_number', 'redemption_bank_account_ifsc_code'],
    ]);
    expect(addedTo('mf_redemption_plan')).toEqual([
      ...['server_ip', 'initiated_by', 'initiated_via', 'purpose'],
      ...['requested_activation_date', 'cancellation_scheduled_on', 'auto_cancelled'],
    ]);
    expect(addedTo('payment')).toEqual([]);
    expect(addedTo('investor_profile')).toEqual([
      ...['type', 'gender', 'marital_status', 'occupation', 'employer', 'income_slab', 'source_of_wealth'],
      ...['pep_details', 'father_name', 'mother_name', 'spouse_name', 'aadhaar_number', 'signature'],
      ...['ip_address', 'guardian_name', 'guardian_date_of_birth', 'guardian_pan', 'country_of_birth'],
      ...['place_of_birth', 'nationality_country', 'citizenship_countries', 'first_tax_residency'],
      ...['second_tax_residency', 'third_tax_residency', 'fourth_tax_residency'],
    ]);
  });

  it('of folio defaults are there too, null where they are not set (COMP-12)', () => {
    const account = { folio_defaults: { payout_bank_account: null, nominee1: 'relp_1' } };
    const shown = toUpstream(account, 'upstream') as typeof account;
    expect(shown.folio_defaults).toMatchObject({
      nominee1: 'relp_1',
      nominee2: null,
      communication_address: null,
    });
    expect(toUpstream(shown, 'upstream')).toEqual(shown);
    expect(fromUpstream(account)).toEqual(account);
  });

  it('of an export of a person are those that are stored (INV-20)', () => {
    const account = { object: 'mf_investment_account', folio_defaults: { payout_bank_account: null } };
    const rows = (type: string) => ({
      identity: { investor_profiles: [{ object: 'investor_profile', name: 'Asha' }], accounts: [account] },
      orders: { mf_purchases: [{ object: 'mf_purchase', type }] },
    });
    const shown = toUpstream({ object: 'investor_export', data: rows('fresh') }, 'upstream');
    expect(shown).toEqual({ object: 'investor_export', data: rows('purchase') });
    expect(toUpstream(shown, 'upstream')).toEqual(shown);
  });

  it('of a filter are those of answers, or ours (COMP-6)', () => {
    for (const { values } of Object.values<ObjectRules>(OBJECTS))
      for (const [field, names] of Object.entries(values))
        for (const [ourValue, theirs] of Object.entries(names)) {
          expect(queryFromUpstream({ [field]: theirs })).toEqual({ [field]: ourValue });
          expect(queryFromUpstream({ [field]: ourValue })).toEqual({ [field]: ourValue });
        }
    const query = { type: 'additional_purchase', provider_name: 'ONDC', name: 'purchase' };
    expect(queryFromUpstream(query)).toEqual({ ...query, type: 'additional', provider_name: 'GATEWAYPOA' });
    expect(fromUpstream({ type: 'purchase' })).toEqual({ type: 'purchase' });
  });

  it.each([
    [{ error: { status: 409, code: 'PAYMENT_MISSING', message: 'm' } }, 400],
    [{ error: { status: 422, code: 'UPI_LIMIT_EXCEEDED', message: 'm' } }, 400],
    [{ error: { status: 400, code: 'UPI_LIMIT_EXCEEDED', message: 'm' } }, 400],
    [{ error: { status: 409, code: 'IDEMPOTENCY_KEY_IN_USE', message: 'm' } }, null],
    [{ error: { status: 404, code: 'NOT_FOUND', message: 'm' } }, null],
    [{ error: null }, null],
    [[], null],
    [null, null],
  ])('send %j with status %s, and no other word of it changes (COMP-9)', (answer, status) => {
    const error = (answer as { error?: object } | null)?.error;
    expect(refusalForUpstream(answer)).toEqual(status === null ? null : { error: { ...error, status } });
  });

  it.each([
    ['upstream', 'cybrillapoa', 'CYBRILLAPOA'],
    ['upstream/ondc', 'ondc', 'ONDC'],
  ] as const)(
    'of %s are in the sentences of a refusal too, which say what to send (COMP-9)',
    (to, gateway, name) => {
      const refused = (gateways: string, provider: string, sdk: string) => ({
        error: {
          ...{ status: 400, code: 'BAD_REQUEST_ERROR', request_id: 'SDKVENDOR' },
          message: `${gateways} payment: use ${sdk}`,
          errors: [{ field: 'provider_name', message: `must be one of: ${provider}, ${sdk}` }],
        },
      });
      const theirs = toUpstream(refused('gatewaypoa', 'GATEWAYPOA', 'SDKVENDOR'), to);
      expect(theirs).toEqual(refused(gateway, name, 'RAZORPAY'));
      expect(toUpstream(theirs, to)).toEqual(theirs);
      expect(renamedIn('sdkvendor order of mygatewaypoa_x', to)).toBe('razorpay order of mygatewaypoa_x');
      const message = 'of GATEWAYPOA';
      for (const other of [{ message }, { error: { message } }, { error: message }, { error: null }])
        expect(toUpstream(other, to)).toEqual(other);
    },
  );

  it('of an endpoint have a warning for each type that we do not have (COMP-8)', () => {
    const endpoint = { object: 'notification_webhook', events: ['*', 'payment.*', 'mandate.created'] };
    expect(toUpstream(endpoint, 'upstream')).toEqual(endpoint);
    const waiting = { ...endpoint, events: ['payment.failed', 'kyc_request.*'] };
    const warnings = ['kyc_request.* is not an event type here: no such event is sent.'];
    expect(toUpstream({ data: [waiting] }, 'upstream')).toEqual({ data: [{ ...waiting, warnings }] });
  });

  it('of a failure are those of the payment’s object (COMP-6)', () => {
    expect(failureCodeFor('upstream', 'payment_expired')).toBe('fp_payment_expired');
    expect(failureCodeFor(null, 'payment_expired')).toBe('payment_expired');
    expect(failureCodeFor('upstream', 'insufficient_funds')).toBe('insufficient_funds');
  });

  it('change nothing in any JSON without our names', () => {
    const json = fc
      .json({ maxDepth: 4 })
      .filter((text) => !/gateway|provider_name|sdk_options|__proto__/.test(text));
    fc.assert(
      fc.property(json, fc.constantFrom(...COMPATIBILITIES), (text, compatibility) => {
        const printed = stringifyJson(parseJson(text));
        expect(stringifyJson(toUpstream(parseJson(text), compatibility))).toBe(printed);
        expect(stringifyJson(fromUpstream(parseJson(text)))).toBe(printed);
      }),
    );
  });

  it('are of a known compatibility only (COMP-1)', () => {
    expect(compatibilityOf('upstream')).toBe('upstream');
    for (const other of ['strict', '', null, undefined, ['upstream']])
      expect(compatibilityOf(other)).toBeNull();
  });
});
