import type { OutboxRow } from './relay-connection.ts';
import { RelayFlight } from './relay-flight.ts';

function row(aggregate: string, sequence: number): OutboxRow {
  const event = {
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
  return { id: `${aggregate}${sequence}`, event };
}

const published = Promise.resolve({ published: true } as const);
const refused = Promise.resolve({ published: false, error: new Error('refused') } as const);
const settled = () => new Promise(setImmediate);

describe("the relay's events in flight", () => {
  it('exclude an aggregate from the scans until its events are marked', async () => {
    const flight = new RelayFlight(() => undefined);
    const rows = [row('1', 1), row('1', 2)];

    flight.follow(rows, [published, published]);
    await settled();

    expect(flight.toMark()).toEqual(rows);
    expect(flight.busy()).toEqual(['1']);
    flight.marked(flight.toMark());
    expect(flight.busy()).toEqual([]);
    expect(flight.toMark()).toEqual([]);
  });

  it('keep events that the bus accepts during a marking for the next one', async () => {
    const flight = new RelayFlight(() => undefined);
    const [early, late] = [row('1', 1), row('2', 1)];
    flight.follow([early], [published]);
    await settled();

    const marking = flight.toMark();
    flight.follow([late], [published]);
    await settled();
    flight.marked(marking);

    expect(flight.toMark()).toEqual([late]);
    expect(flight.busy()).toEqual(['2']);
  });

  it('mark the events before a refusal, and back off for the aggregate', async () => {
    const flight = new RelayFlight(() => undefined);
    const rows = [row('1', 1), row('1', 2), row('1', 3)];

    flight.follow(rows, [published, refused, published]);
    await settled();

    expect(flight.toMark()).toEqual([rows[0]]);
    flight.marked(flight.toMark());
    expect(flight.busy()).toEqual(['1']);
    expect(flight.eventCount).toBe(0);
  });

  it('exclude no aggregate whose events the scan itself marks, but one that backs off', async () => {
    const flight = new RelayFlight(() => undefined);
    flight.follow(
      [row('1', 1), row('2', 1), row('2', 2), row('3', 1)],
      [published, published, refused, new Promise(() => undefined)],
    );
    await settled();

    expect(flight.busy(flight.toMark())).toEqual(['2', '3']);
    expect(flight.busy()).toEqual(['1', '2', '3']);
  });

  it('treat a missing answer as a refusal', async () => {
    const flight = new RelayFlight(() => undefined);

    flight.follow([row('1', 1), row('1', 2)], [published]);
    await settled();

    expect(flight.toMark().map(({ event }) => event.sequence)).toEqual([1]);
  });
});
