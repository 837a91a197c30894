import { Decimal } from '@fundrail/contracts';
import { GatewaypoaPlans, type GatewayPlan, type GatewayPlanStatus } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import { API_KEY, SimulatorStage, WEBHOOK_SECRET } from '../testing/simulator-stage.ts';

describe('redemption plans at the simulated gateway, through our adapter', () => {
  let stage: SimulatorStage;
  let gateway: GatewaypoaPlans;
  let drawn = 0;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
    gateway = new GatewaypoaPlans({ baseUrl: stage.url, apiKey: API_KEY, webhookSecret: WEBHOOK_SECRET });
  });
  afterAll(async () => {
    await gateway.close();
    await stage.end();
  });

  const aPlan = (changes: Partial<GatewayPlan> = {}): GatewayPlan => ({
    ...{ reference: `mfr_${++drawn}`, tenant: 'demo', old_id: drawn, investment_account: 'mfia_1' },
    ...{ scheme: 'INF846K01EW2', folio_number: null, amount: Decimal.parse('1001'), units: null, euin: null },
    ...{
      kind: 'redemption',
      frequency: 'monthly',
      installment_day: 5,
      number_of_installments: 12,
      ...changes,
    },
  });

  const reportedStatuses = (plan: GatewayPlan): (GatewayPlanStatus | null)[] =>
    stage.callbacks
      .about(plan.reference)
      .map(({ headers, raw }) => gateway.readCallback(headers, raw).status);
  const until = (plan: GatewayPlan, matches: (status: GatewayPlanStatus) => boolean) =>
    waitFor(() => reportedStatuses(plan).find((status) => status && matches(status)));

  it('pass their review, whatever their amount, and are registered: a callback reports each step (SAND-6)', async () => {
    const plan = aPlan({ amount: Decimal.parse('1002') });

    expect(await gateway.requestReview(plan)).toEqual({ kind: 'yes', value: null });
    await until(plan, ({ review }) => review.result === 'passed');
    const started = await gateway.register(plan);
    await until(plan, ({ registration }) => registration.result === 'registered');

    expect(started).toMatchObject({ kind: 'yes', value: { registration: { result: 'waiting' } } });
    expect(stage.callbacks.about(plan.reference).map(({ topic }) => topic)).toEqual([
      'plans',
      'plans',
      'plans',
    ]);
    expect(await gateway.status(plan.reference)).toEqual({
      kind: 'yes',
      value: { review: { result: 'passed' }, registration: { result: 'registered' } },
    });
  });

  it('fail their review with 13 installments, and cannot be registered then (SAND-6)', async () => {
    const plan = aPlan({ number_of_installments: 13 });

    await gateway.requestReview(plan);
    const failed = await until(plan, ({ review }) => review.result === 'failed');

    expect(failed.review).toEqual({ result: 'failed', failure_code: 'number_of_installments_not_allowed' });
    expect(await gateway.register(plan)).toMatchObject({ kind: 'no', failure_code: 'review_not_passed' });
  });

  it('are identified by their reference: the same call twice is one plan, another plan is refused', async () => {
    const plan = aPlan();

    await gateway.requestReview(plan);
    await until(plan, ({ review }) => review.result === 'passed');

    expect(await gateway.requestReview(plan)).toMatchObject({ kind: 'yes' });
    expect(await gateway.requestReview({ ...plan, old_id: 99_999 })).toMatchObject({
      kind: 'no',
      failure_code: 'idempotency_mismatch',
    });
    expect(await gateway.status('mfr_unknown')).toEqual({ kind: 'not_found' });
    expect(await gateway.register(aPlan())).toEqual({ kind: 'not_found' });
  });

  it('are affected by the faults of their own operations', async () => {
    const fault = { target: 'gatewaypoa', operation: 'plan_status', kind: 'status_500', times: 1 };
    const plan = aPlan();
    await gateway.requestReview(plan);
    await stage.post('/sandbox/faults', fault);

    expect(await gateway.status(plan.reference)).toMatchObject({ kind: 'unknown', why: 'no_answer' });
    expect(await gateway.status(plan.reference)).toMatchObject({ kind: 'yes' });
  });
});
