import { Decimal } from '@fundrail/contracts';
import { MockAgent } from 'undici';
import type { GatewayPlan } from '../plan-ports.ts';
import { BadSignature } from '../answer.ts';
import { GatewaypoaPlans } from './gatewaypoa-plans.adapter.ts';
import { SIGNATURE_HEADER, signCallback } from './signature.ts';

const BASE = 'http://gateway.test';
const NOW = new Date('2026-12-21T10:00:00+05:30');
const plan: GatewayPlan = {
  ...{ reference: 'mfr_1', tenant: 'demo', old_id: 7, investment_account: 'mfia_1', scheme: 'INF846K01EW2' },
  ...{ folio_number: null, amount: Decimal.parse('1001.5'), units: null, euin: null },
  ...{ kind: 'purchase', frequency: 'monthly', installment_day: 5, number_of_installments: 12 },
};
const IN_REVIEW = { reference: 'mfr_1', review: { status: 'in_review' }, registration: { status: 'none' } };

describe("gatewaypoa's plans", () => {
  let agent: MockAgent;
  let adapter: GatewaypoaPlans;
  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    adapter = new GatewaypoaPlans({
      ...{ baseUrl: BASE, dispatcher: agent, apiKey: 'k', webhookSecret: 'w', now: () => NOW },
    });
  });
  afterEach(() => agent.close());

  it('are reviewed under their own id, with amounts in paise', async () => {
    let sent: unknown;
    agent
      .get(BASE)
      .intercept({
        method: 'POST',
        path: '/gatewaypoa/plans/review',
        headers: { 'idempotency-key': 'mfr_1' },
      })
      .reply(200, ({ body }) => {
        sent = JSON.parse(body as string);
        return JSON.stringify(IN_REVIEW);
      });

    expect(await adapter.requestReview(plan)).toEqual({ kind: 'yes', value: null });
    expect(sent).toMatchObject({ reference: 'mfr_1', amount_paise: 100150, units: null, installment_day: 5 });
    expect(sent).toMatchObject({ kind: 'purchase', frequency: 'monthly' });
  });

  it.each([
    [{ status: 'in_progress' }, { result: 'waiting' }],
    [{ status: 'registered' }, { result: 'registered' }],
    [
      { status: 'refused', failure_code: null },
      { result: 'refused', failure_code: 'registration_refused' },
    ],
  ])('are registered: %j is %j', async (registration, expected) => {
    const answer = { ...IN_REVIEW, review: { status: 'passed' }, registration };
    agent
      .get(BASE)
      .intercept({ method: 'POST', path: '/gatewaypoa/plans/register' })
      .reply(200, JSON.stringify(answer));

    expect(await adapter.register(plan)).toMatchObject({ kind: 'yes', value: { registration: expected } });
  });

  it.each([
    [404, {}, { kind: 'not_found' }],
    [422, { code: 'scheme_closed', message: 'no' }, { kind: 'no', failure_code: 'scheme_closed' }],
    [500, {}, { kind: 'unknown', why: 'no_answer' }],
    [200, { ...IN_REVIEW, review: { status: 'teleported' } }, { kind: 'unknown', why: 'not_understood' }],
  ])('have a status: %i %j is %j', async (status, body, expected) => {
    agent
      .get(BASE)
      .intercept({ method: 'GET', path: '/gatewaypoa/plans/mfr_1' })
      .reply(status, JSON.stringify(body));

    expect(await adapter.status('mfr_1')).toMatchObject(expected);
  });

  it('are reported by callbacks: an unknown word leaves the status open, a bad signature is refused', () => {
    const callback = (object: object) =>
      JSON.stringify({ event_id: 'e1', event: 'plan.updated', reference: 'mfr_1', plan: object });
    const read = (body: string) =>
      adapter.readCallback({ [SIGNATURE_HEADER]: signCallback('w', body, NOW) }, body);
    const rejected = { ...IN_REVIEW, review: { status: 'rejected', failure_code: 'too_many' } };

    expect(read(callback(rejected))).toMatchObject({
      event_id: 'e1',
      reference: 'mfr_1',
      status: { review: { result: 'failed', failure_code: 'too_many' } },
    });
    expect(read(callback({ ...IN_REVIEW, review: { status: '?' } })).status).toBeNull();
    expect(read(callback({ ...rejected, reference: 'mfr_2' })).status).toBeNull();
    expect(() => adapter.readCallback({ [SIGNATURE_HEADER]: 'x' }, callback(rejected))).toThrow(BadSignature);
  });
});
