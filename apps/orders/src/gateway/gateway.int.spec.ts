import type { Answer } from '@fundrail/providers';
import { sql } from '@fundrail/persistence';
import { waitFor } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import { facts, NONSENSE, NOT_FOUND, SILENCE, STORIES } from '../testing/fake-order-gateway.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

describe('the order gateway', () => {
  let orders: OrdersUnderTest;
  let nextPayment = 1;
  const confirm = (id: string) =>
    orders.ask('PATCH', '/v2/mf_purchases', { body: { id, state: 'confirmed' } });
  const calls = (operation: 'review' | 'submit' | 'status', id: string) =>
    orders.gateway.countOf(operation, id);

  /** Advances business time and waits until the gateway was called again. */
  const askedAfter = async (ms: number, operation: 'review' | 'submit' | 'status', id: string) => {
    const before = calls(operation, id);
    orders.clock.advance(ms);
    await waitFor(() => calls(operation, id) > before, { what: `another ${operation} after ${ms} ms` });
    await waitFor(() => orders.running.dueWorker.inFlight === 0);
  };

  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());
  beforeEach(() => {
    nextPayment += 1;
    orders.gateway.onReview = () => ({ kind: 'yes', value: null });
    orders.gateway.onSubmit = () => ({ kind: 'yes', value: { order_reference: 'REF1' } });
    orders.gateway.onStatus = (reference) => {
      const value = orders.gateway.known.get(reference);
      return value ? { kind: 'yes', value } : NOT_FOUND;
    };
  });

  it('fails the order that it refuses to review (ORD-18)', async () => {
    orders.gateway.onReview = () => ({ kind: 'no', failure_code: 'scheme_closed', message: 'closed' });
    const { id } = await orders.create();
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'scheme_closed' });
  });

  it('fails the order whose submission it refuses (ORD-23)', async () => {
    const { id, old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    orders.gateway.onSubmit = () => ({ kind: 'no', failure_code: 'cut_off', message: 'too late' });
    await confirm(id);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'cut_off' });
  });

  it.each<[string, Answer<never>]>([
    ['silent', SILENCE],
    ['not understood', NONSENSE],
  ])(
    'that is %s does not change the order, and is asked after 5 s, 30 s, 5 min, 1 h and hourly',
    async (_, nothing) => {
      orders.gateway.onReview = () => nothing;
      orders.gateway.onStatus = () => nothing;
      const { id } = await orders.create();
      await waitFor(() => calls('review', id) === 1);
      await waitFor(() => orders.running.dueWorker.inFlight === 0);
      for (const wait of [5 * SECOND_MS, 30 * SECOND_MS, 300 * SECOND_MS, HOUR_MS, HOUR_MS, HOUR_MS])
        await askedAfter(wait, 'status', id);
      expect(calls('review', id)).toBe(1);
      expect((await orders.get(id)).state).toBe('under_review');
      orders.gateway.known.set(id, facts({ review: { result: 'passed' } }));
      orders.gateway.onStatus = (reference) => ({
        kind: 'yes',
        value: orders.gateway.known.get(reference) ?? facts(),
      });
      orders.clock.advance(HOUR_MS);
      await orders.inState(id, 'pending');
    },
  );

  it('that does not know the order gets the review again with the same key (GATE-4)', async () => {
    orders.gateway.onReview = () => SILENCE;
    const { id } = await orders.create();
    await waitFor(() => calls('review', id) === 1);
    await waitFor(() => orders.running.dueWorker.inFlight === 0);
    await askedAfter(5 * SECOND_MS, 'review', id);
    expect(calls('status', id)).toBe(1);
  });

  it('that knows the order but not its submission gets the submission again', async () => {
    const { id, old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    orders.gateway.onSubmit = () => SILENCE;
    orders.gateway.known.set(id, facts({ review: { result: 'passed' } }));
    await confirm(id);
    await waitFor(() => calls('submit', id) === 1);
    await waitFor(() => orders.running.dueWorker.inFlight === 0);
    orders.gateway.onSubmit = () => ({ kind: 'yes', value: { order_reference: 'REF1' } });
    orders.clock.advance(5 * SECOND_MS);
    await orders.inState(id, 'submitted');
    expect(calls('submit', id)).toBe(2);
  });

  it('that accepted the submission without an answer is asked, and the order is submitted', async () => {
    const { id, old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    orders.gateway.onSubmit = () => SILENCE;
    orders.gateway.known.set(id, STORIES['accepted'] ?? facts());
    await confirm(id);
    await waitFor(() => calls('submit', id) === 1);
    await waitFor(() => orders.running.dueWorker.inFlight === 0);
    orders.clock.advance(5 * SECOND_MS);
    await orders.inState(id, 'submitted');
    expect(calls('submit', id)).toBe(1);
  });

  it('that has lost a submitted order gets the submission again, and further questions', async () => {
    const { id, old_id } = await orders.createPayable();
    await orders.claim(nextPayment, [old_id]);
    await confirm(id);
    await orders.inState(id, 'submitted');
    orders.neighbours.payments.add(nextPayment);
    await askedAfter(5 * SECOND_MS, 'submit', id);
    await waitFor(() => orders.running.dueWorker.inFlight === 0);
    orders.gateway.known.set(id, STORIES['successful'] ?? facts());
    orders.clock.advance(30 * SECOND_MS);
    await orders.inState(id, 'successful');
    expect((await orders.eventsOf(id)).slice(-3)).toEqual(['confirmed', 'submitted', 'successful']);
  });

  it('that is silent for a day is recorded as silent since its last answer, until it answers', async () => {
    orders.gateway.onReview = () => SILENCE;
    orders.gateway.onStatus = () => SILENCE;
    const { id } = await orders.create();
    await waitFor(() => calls('review', id) === 1);
    const silentSince = async () => {
      const statement = sql(
        'test.silent_since',
        'SELECT unanswered_since AS at FROM mf_orders WHERE id = $1',
      );
      return (await orders.running.database.query<{ at: Date | null }>(statement, [id]))[0]?.at ?? null;
    };
    const since = await waitFor(silentSince);
    orders.clock.advance(24 * HOUR_MS);
    await waitFor(() => calls('status', id) >= 1);
    await waitFor(() => orders.running.dueWorker.inFlight === 0);
    expect(await silentSince()).toEqual(since);
    orders.gateway.onStatus = () => ({ kind: 'yes', value: facts({ review: { result: 'passed' } }) });
    orders.clock.advance(HOUR_MS);
    await orders.inState(id, 'pending');
    expect(await silentSince()).toBeNull();
  });

  describe('callbacks', () => {
    it.each([
      ['review_failed', 'failed', 'kyc_incomplete'],
      ['reviewed', 'pending', null],
    ] as const)('%s makes the order %s', async (story, state, failure_code) => {
      const { id } = await orders.create();
      expect((await orders.callback(id, story)).status).toBe(200);
      expect(await orders.get(id)).toMatchObject({ state, failure_code });
    });

    it('with a wrong signature are refused and change nothing (GATE-7)', async () => {
      const { id } = await orders.create();
      const answer = await orders.callback(id, 'reviewed', randomUUID(), 'forged');
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { errors: [{ field: 'x-gatewaypoa-signature' }] } },
      });
      expect((await orders.get(id)).state).toBe('under_review');
    });

    it('about an unknown order are accepted and change nothing', async () => {
      expect((await orders.callback(`mfp_${'0'.repeat(32)}`, 'reviewed')).status).toBe(200);
    });

    it('that come twice at the same time are applied once (GATE-8)', async () => {
      const { id } = await orders.create();
      const event = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => orders.callback(id, 'reviewed', event)),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
      expect(await orders.eventsOf(id)).toEqual(['created', 'review_completed']);
    });

    it('that repeat a known event id change nothing, whatever their content', async () => {
      const { id } = await orders.createSubmitted(nextPayment);
      const event = randomUUID();
      await orders.callback(id, 'accepted', event);
      expect((await orders.callback(id, 'successful', event)).status).toBe(200);
      expect((await orders.get(id)).state).toBe('submitted');
    });

    it('with the same content under other event ids are applied once', async () => {
      const { id } = await orders.createSubmitted(nextPayment);
      await Promise.all(Array.from({ length: 10 }, () => orders.callback(id, 'successful')));
      const tail = (await orders.eventsOf(id)).slice(-2);
      expect(tail).toEqual(['submitted', 'successful']);
    });

    it('that come before the answer to the submission apply the missing steps in order', async () => {
      const { id, old_id } = await orders.createPayable();
      await orders.claim(nextPayment, [old_id]);
      orders.gateway.onSubmit = () => SILENCE;
      await confirm(id);
      await orders.callback(id, 'successful');
      await orders.callback(id, 'accepted');
      await orders.inState(id, 'successful');
      expect((await orders.eventsOf(id)).slice(-3)).toEqual(['confirmed', 'submitted', 'successful']);
    });

    it('that contradict what is known change nothing', async () => {
      const { id } = await orders.createSubmitted(nextPayment);
      await orders.callback(id, 'failed');
      await orders.callback(id, 'successful');
      expect(await orders.get(id)).toMatchObject({
        state: 'failed',
        failure_code: 'registrar_rejected',
        succeeded_at: null,
      });
    });

    it('that reverse a successful order are published (ORD-24)', async () => {
      const { id } = await orders.createSubmitted(nextPayment);
      await orders.callback(id, 'successful');
      await orders.callback(id, 'reversed');
      expect(await orders.get(id)).toMatchObject({ state: 'reversed', failure_code: 'cheque_bounced' });
      expect((await orders.eventsOf(id)).slice(-2)).toEqual(['successful', 'reversed']);
    });

    it('with unknown content cause a question to the gateway', async () => {
      const { id } = await orders.createSubmitted(nextPayment);
      orders.gateway.known.set(id, STORIES['successful'] ?? facts());
      expect((await orders.callback(id, 'gibberish')).status).toBe(200);
      await orders.inState(id, 'successful');
    });
  });

  it('is asked about a submitted order whose callback was lost', async () => {
    const { id } = await orders.createSubmitted(nextPayment);
    orders.gateway.known.set(id, STORIES['failed'] ?? facts());
    orders.clock.advance(5 * SECOND_MS);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'registrar_rejected' });
  });
});
