import { bareMetrics, countsOf } from '../testing/bare-metrics.ts';
import { ProviderCalls, type ProviderAnswer } from './provider-calls.ts';

const review = { provider: 'gatewaypoa', method: 'POST', template: '/gatewaypoa/orders/review' };
const status = { provider: 'gatewaypoa', method: 'GET', template: '/gatewaypoa/orders/{id}' };

describe('calls of providers', () => {
  it('are counted by route and outcome, and the answer is returned', async () => {
    const metrics = bareMetrics();
    const { observe } = new ProviderCalls(metrics);
    const answered = (code: number): ProviderAnswer => ({ kind: 'answered', status: code });
    const silence: ProviderAnswer = { kind: 'silence' };
    const heldBack: ProviderAnswer = { kind: 'not_sent' };
    const answers = [200, 201, 302, 404, 429].map(answered);
    for (const answer of [...answers, silence, heldBack])
      expect(await observe(review, () => Promise.resolve(answer))).toBe(answer);
    await observe(status, () => Promise.resolve(answered(503)));
    expect(await countsOf(metrics, 'fundrail_provider_call_duration_seconds')).toEqual({
      'gatewaypoa | POST /gatewaypoa/orders/review | answered': 2,
      'gatewaypoa | POST /gatewaypoa/orders/review | failed': 1,
      'gatewaypoa | POST /gatewaypoa/orders/review | refused': 1,
      'gatewaypoa | POST /gatewaypoa/orders/review | too_many_requests': 1,
      'gatewaypoa | POST /gatewaypoa/orders/review | no_answer': 1,
      'gatewaypoa | POST /gatewaypoa/orders/review | not_sent': 1,
      'gatewaypoa | GET /gatewaypoa/orders/{id} | failed': 1,
    });
  });
});
