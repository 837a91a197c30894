import { istTimestamp } from '@fundrail/contracts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { CONTACTS } from '../testing/purchase.builder.ts';

/** 36 characters: one with a million zeros would not fit into an event. */
const LONG = `2026-12-21T10:00:00.${'0'.repeat(10)}+05:30`;

describe('the proof of an order’s consent (ORD-32)', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterEach(() => {
    orders.neighbours.settings.policies = {};
  });
  afterAll(() => orders.stop());

  const evidence = (changes: object = {}) => {
    const at = istTimestamp(orders.clock.now());
    const proof = { method: 'otp', channel: 'sms', sent_at: at, verified_at: at };
    return { ...proof, reference: 'otp-check-5521', verified_by: 'tenant', ...changes };
  };
  const kinds = [
    ['purchase', '/v2/mf_purchases', () => orders.createPending()],
    ['redemption', '/v2/mf_redemptions', () => orders.createPendingRedemption()],
  ] as const;

  it.each(kinds)('of a %s is recorded once with it, and shown', async (_, url, created) => {
    const { id } = await created();
    const proof = evidence();
    const patch = (consent: object) => orders.refused('PATCH', url, { body: { id, consent } });
    const answers = await Promise.all(
      [proof, { ...proof, reference: 'another' }].map((one) => patch({ ...CONTACTS, evidence: one })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body } = await orders.ask<{ consent: { evidence: { reference: string } } }>(
      'GET',
      `${url}/${id}`,
    );
    const shown = body.consent.evidence;
    expect([proof, { ...proof, reference: 'another' }]).toContainEqual(shown);
    expect((await patch(CONTACTS)).body.error.code).toBe('CONSENT_ALREADY_SET');
  });

  it.each(kinds)('of a %s is a 422 without it where the operator requires it', async (_, url, created) => {
    const { id } = await created();
    orders.neighbours.settings.policies = { two_factor_consent: { evidence: 'required' } };
    const patch = (consent: object) => orders.refused('PATCH', url, { body: { id, consent } });
    const { status, body } = await patch(CONTACTS);
    expect([status, body.error.code, body.error.policy?.name]).toEqual([
      422,
      'TWO_FACTOR_MISSING',
      'two_factor_consent',
    ]);
    expect((await patch({ ...CONTACTS, evidence: evidence() })).status).toBe(200);
  });

  it.each([
    [{ reference: '4821' }, 'consent.evidence.reference'],
    [{ verified_at: '2020-01-01T10:00:00.000+05:30' }, 'consent.evidence.verified_at'],
    [{ channel: 'letter' }, 'consent.evidence.channel'],
    [{ sent_at: LONG }, 'consent.evidence.sent_at'],
    [{ verified_at: LONG }, 'consent.evidence.verified_at'],
  ])('is a 400 with %j, and nothing is recorded', async (changes, field) => {
    const { id } = await orders.createPending();
    const body = { id, consent: { ...CONTACTS, evidence: evidence(changes) } };
    const refused = await orders.refused('PATCH', '/v2/mf_purchases', { body });
    expect([refused.status, refused.body.error.errors[0]?.field]).toEqual([400, field]);
    expect((await orders.get(id)).consent).toBeNull();
  });

  it('of a batch is refused as a whole when one of them is, with its place (CONV-24)', async () => {
    const ids = [(await orders.createPending()).id, (await orders.createPending()).id];
    for (const [field, value] of [
      ['verified_at', '2020-01-01T10:00:00.000+05:30'],
      ['sent_at', LONG],
    ] as const) {
      const proofs = [evidence(), evidence({ sent_at: '2020-01-01T10:00:00Z', [field]: value })];
      const mf_purchases = ids.map((id, at) => ({ id, consent: { ...CONTACTS, evidence: proofs[at] } }));
      const refused = await orders.refused('PATCH', '/v2/mf_purchases/batch', { body: { mf_purchases } });
      expect([refused.status, refused.body.error.errors[0]?.field]).toEqual([
        400,
        `mf_purchases.1.consent.evidence.${field}`,
      ]);
    }
    for (const id of ids) expect((await orders.get(id)).consent).toBeNull();
  });

  it('is needed by a redemption before it is by a purchase, by their dates', async () => {
    const [{ id: purchase }, { id: redemption }] = [
      await orders.createPending(),
      await orders.createPendingRedemption(),
    ];
    orders.neighbours.settings.policies = { two_factor_consent: { evidence: 'required' } };
    const now = orders.clock.now();
    orders.clock.set('2023-03-31T23:59:59.999+05:30');
    const patch = (kind: string, id: string) =>
      orders.refused('PATCH', `/v2/mf_${kind}`, { body: { id, consent: CONTACTS } });
    const statuses = [await patch('redemptions', redemption), await patch('purchases', purchase)];
    orders.clock.set(now);
    expect(statuses.map(({ status }) => status)).toEqual([422, 200]);
  });
});
