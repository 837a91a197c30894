import { Decimal } from '@fundrail/contracts';
import { eventsOf, previousAttributes } from './new-event.ts';

interface Row {
  readonly tenant: string;
  readonly event_seq: number;
  readonly amount: Decimal;
  readonly status: string;
  readonly uri?: string;
}

const row: Row = { tenant: 'demo', event_seq: 3, amount: Decimal.parse('1001'), status: 'SUCCESS' };
const before: Row = { ...row, event_seq: 1, amount: Decimal.parse('1001.00'), status: 'PENDING' };
const now = new Date('2026-12-21T04:30:00Z');
const step = {
  decision: { row, events: ['payment.success', 'payment.updated'] as const },
  before,
  aggregateId: '42',
  toObject: ({ amount, status }: Row) => ({ id: 42, amount, status }),
  now,
};

describe('eventsOf', () => {
  it('numbers the events of a step so that the last has the number of the row (EVT-5)', () => {
    const events = eventsOf(step);

    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['payment.success', 2],
      ['payment.updated', 3],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
    expect(events[0]).toMatchObject({
      tenant: 'demo',
      aggregate_id: '42',
      version: 1,
      occurred_at: now,
      traceparent: null,
    });
  });

  it('writes the data once, numbers with their zeros, and the old values of what changed (EVT-4, EVT-6)', () => {
    const [first, second] = eventsOf(step);

    expect(first?.data).toBe(
      '{"object":{"id":42,"amount":1001.0000,"status":"SUCCESS"},"previous_attributes":{"status":"PENDING"}}',
    );
    expect(second?.data).toBe(first?.data);
  });

  it('has null as previous attributes of a created object (EVT-4)', () => {
    const [event] = eventsOf({ ...step, before: null });

    expect(event?.data).toContain('"previous_attributes":null');
  });

  it('is empty for a step without events', () => {
    expect(eventsOf({ ...step, decision: { row, events: [] } })).toEqual([]);
  });
});

describe('previousAttributes', () => {
  it.each([
    ['an equal value in another object', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, {}],
    ['a nested change', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { b: 1, c: 2 } }],
    ['a field that comes', {}, { a: 1 }, { a: null }],
    ['a field that goes', { a: 1 }, {}, { a: 1 }],
    ['null to a value', { a: null }, { a: 1 }, { a: null }],
    ['equal dates', { a: new Date(5) }, { a: new Date(5) }, {}],
    ['decimals that differ', { a: Decimal.parse('1') }, { a: Decimal.parse('2') }, { a: Decimal.parse('1') }],
  ])('%s', (_what, old, fresh, expected) => {
    expect(previousAttributes(old, fresh)).toEqual(expected);
  });
});
