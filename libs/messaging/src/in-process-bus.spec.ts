import type { EventEnvelope } from '@fundrail/contracts';
import type { PublishOutcome } from './event-bus.port.ts';
import { InProcessBus } from './in-process-bus.ts';

function event(aggregate: string, sequence: number): EventEnvelope {
  return {
    id: `evt_${aggregate}_${sequence}`,
    type: 'payment.updated',
    version: 1,
    occurred_at: '2026-12-21T10:00:00.000+05:30',
    tenant: 'demo',
    aggregate_id: aggregate,
    sequence,
    data: '{}',
    traceparent: null,
  };
}

/** A group that records its events, and waits when the test says so. */
function recorder(group: string, topics = ['payment']) {
  const delivered: number[] = [];
  const held = { until: Promise.resolve() as Promise<unknown> };
  const deliver = async ({ sequence }: EventEnvelope) => {
    await held.until;
    delivered.push(sequence);
  };
  return { group, topics, deliver, refuse: () => Promise.resolve(), busySince: () => null, delivered, held };
}

const flags = async (outcomes: readonly Promise<PublishOutcome>[]) =>
  (await Promise.all(outcomes)).map((outcome) => outcome.published);

describe('the in-process bus', () => {
  it('publishes nothing before each group of the process has subscribed', async () => {
    const bus = new InProcessBus({ groups: ['orders', 'webhooks'] });
    const [orders, webhooks] = [recorder('orders'), recorder('webhooks')];
    await bus.subscribe(orders);
    const outcomes = bus.publish([event('1', 1)]);
    let settled = false;
    void Promise.all(outcomes).then(() => (settled = true));
    await new Promise(setImmediate);
    expect(settled).toBe(false);

    await bus.subscribe(webhooks);

    expect(await flags(outcomes)).toEqual([true]);
    expect([orders.delivered, webhooks.delivered]).toEqual([[1], [1]]);
  });

  it('delivers only to the groups that subscribe to the topic', async () => {
    const bus = new InProcessBus({ groups: ['orders', 'webhooks'] });
    const [orders, webhooks] = [recorder('orders', ['mf_purchase']), recorder('webhooks')];
    await bus.subscribe(orders);
    await bus.subscribe(webhooks);

    expect(await flags(bus.publish([event('1', 1)]))).toEqual([true]);

    expect([orders.delivered, webhooks.delivered]).toEqual([[], [1]]);
  });

  it('does not count an event as published when a group stopped before it, nor the events behind it', async () => {
    const bus = new InProcessBus({ groups: ['orders'] });
    const orders = recorder('orders');
    const gate = Promise.withResolvers<undefined>();
    orders.held.until = gate.promise;
    const subscription = await bus.subscribe(orders);
    const outcomes = bus.publish([event('1', 1), event('1', 2), event('1', 3)]);
    await new Promise(setImmediate);

    const stopped = subscription.stop();
    gate.resolve(undefined);
    await stopped;

    expect(await flags(outcomes)).toEqual([true, false, false]);
    expect(await flags(bus.publish([event('2', 1)]))).toEqual([false]);
    expect(orders.delivered).toEqual([1]);
  });

  it('does not deliver events that waited for the old subscription to the new one', async () => {
    const bus = new InProcessBus({ groups: ['orders'] });
    const [old, fresh] = [recorder('orders'), recorder('orders')];
    const gate = Promise.withResolvers<undefined>();
    old.held.until = gate.promise;
    const subscription = await bus.subscribe(old);
    const outcomes = bus.publish([event('1', 1), event('1', 2)]);
    await new Promise(setImmediate);
    const stopped = subscription.stop();
    await bus.subscribe(fresh);
    gate.resolve(undefined);
    await stopped;

    expect(await flags(outcomes)).toEqual([true, false]);
    expect(await flags(bus.publish([event('1', 2)]))).toEqual([true]);
    expect(fresh.delivered).toEqual([2]);
  });

  it('refuses a group that is not in its options, and one that has already subscribed', async () => {
    const bus = new InProcessBus({ groups: ['orders'] });
    await expect(bus.subscribe(recorder('mandates'))).rejects.toThrow('mandates');
    await bus.subscribe(recorder('orders'));

    await expect(bus.subscribe(recorder('orders'))).rejects.toThrow('already');
  });
});
