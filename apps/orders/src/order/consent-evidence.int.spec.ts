import { istTimestamp } from '@fundrail/contracts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { CONTACTS } from '../testing/purchase.builder.ts';

describe('the proof of an order’s consent (ORD-32)', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterEach(() => {
    orders.neighbours.policies = {};
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
    orders.neighbours.policies = { two_factor_consent: { evidence: 'required' } };
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
  ])('is a 400 with %j, and nothing is recorded', async (changes, field) => {
    const { id } = await orders.createPending();
    const body = { id, consent: { ...CONTACTS, evidence: evidence(changes) } };
    const refused = await orders.refused('PATCH', '/v2/mf_purchases', { body });
    expect([refused.status, refused.body.error.errors[0]?.field]).toEqual([400, field]);
    expect((await orders.get(id)).consent).toBeNull();
  });
});
