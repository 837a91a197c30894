import type { LoggedEvent } from '@fundrail/messaging/testing';
import { auditTrail, repeatsOf, type EventTrail, type OutboxEvent } from './event-audit.ts';

const event = (aggregate: string, sequence: number): OutboxEvent => ({
  id: `evt_${aggregate}_${sequence}`,
  type: sequence === 3 ? 'payment.failed' : 'payment.updated',
  version: 1,
  tenant: 'demo',
  aggregate_id: aggregate,
  sequence,
  data: `{"object":{"n":${sequence}}}`,
});
const logged = (written: OutboxEvent, partition = 0): LoggedEvent => ({
  topic: 'payment',
  partition,
  event: { ...written, occurred_at: '2026-12-21T10:00:00+05:30', traceparent: null },
});

const outbox = [event('a', 1), event('a', 2), event('b', 1), event('a', 3)];
const sound: EventTrail = {
  outbox,
  log: outbox.map((written) => logged(written)),
  inboxes: [
    { group: 'orders', types: new Set(['payment.failed']), ids: ['evt_a_3'] },
    {
      group: 'webhooks',
      types: new Set(['payment.failed', 'payment.updated']),
      ids: outbox.map(({ id }) => id),
    },
  ],
};
const [a1, a2, b1, a3] = sound.log as [LoggedEvent, LoggedEvent, LoggedEvent, LoggedEvent];
const findings = (change: Partial<EventTrail>) => auditTrail({ ...sound, ...change });

describe('the audit of the events', () => {
  it('finds nothing when every event is everywhere, in order', () => {
    expect(findings({})).toEqual([]);
  });

  it('allows that Kafka has an event more than once, and counts it', () => {
    const log = [a1, a1, a2, b1, a1, a3];
    expect(findings({ log })).toEqual([]);
    expect(repeatsOf(log)).toBe(2);
  });

  it('finds an event that Kafka does not have', () => {
    expect(findings({ log: [a1, a2, b1] })).toEqual([
      { kind: 'lost', what: 'event on Kafka evt_a_3 is on our side only' },
    ]);
  });

  it('finds the gap of a missing event, too', () => {
    expect(findings({ log: [a1, b1, a3] })).toEqual([
      { kind: 'lost', what: 'event on Kafka evt_a_2 is on our side only' },
      { kind: 'out_of_order', what: 'payment a on Kafka: 1, 3 in partition 0' },
    ]);
  });

  it('finds an event that no outbox has', () => {
    expect(findings({ log: [...sound.log, logged(event('c', 1))] })).toEqual([
      { kind: 'doubled', what: 'event on Kafka evt_c_1 is on the other side only' },
    ]);
  });

  it('finds two events in the wrong order', () => {
    expect(findings({ log: [a2, a1, b1, a3] })).toEqual([
      { kind: 'out_of_order', what: 'payment a on Kafka: 2, 1, 3 in partition 0' },
    ]);
  });

  it('finds an aggregate whose events are in two partitions', () => {
    expect(findings({ log: [a1, a2, b1, logged(event('a', 3), 1)] })).toEqual([
      { kind: 'out_of_order', what: 'payment a on Kafka: 1, 2, 3 in partition 0 and 1' },
    ]);
  });

  it.each([{ data: '{"object":{"n":1.0}}' }, { sequence: 2 }, { tenant: 'other' }, { aggregate_id: 'c' }])(
    'finds an event that differs from what was written: %j',
    (change) => {
      const changed = { ...a1, event: { ...a1.event, ...change } };
      expect(findings({ log: [changed, a2, b1, a3] })).toContainEqual({
        kind: 'lost',
        what: 'payment.updated evt_a_1 on payment is not what was written',
      });
    },
  );

  it('finds an event that a group subscribes to and has not consumed', () => {
    const [orders, webhooks] = sound.inboxes;
    expect(findings({ inboxes: [{ ...orders!, ids: [] }, webhooks!] })).toEqual([
      { kind: 'lost', what: 'event in the inbox of orders evt_a_3 is on our side only' },
    ]);
  });

  it('finds an event that a group has consumed without subscribing to it', () => {
    const [orders, webhooks] = sound.inboxes;
    expect(findings({ inboxes: [{ ...orders!, ids: ['evt_a_3', 'evt_a_1'] }, webhooks!] })).toEqual([
      { kind: 'doubled', what: 'event in the inbox of orders evt_a_1 is on the other side only' },
    ]);
  });
});
