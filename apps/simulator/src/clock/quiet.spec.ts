import type { ServiceName } from '@fundrail/contracts';
import { earliestStep, hasSameCounts, movingServices } from './quiet.ts';
import type { QuietReport } from './quiet.ts';

const rest: QuietReport = {
  due: 0,
  background: 0,
  unpublished: 0,
  in_flight: 0,
  published: 3,
  consumed: 5,
  earliest_due_at: null,
};
const round = (orders: Partial<QuietReport>, webhooks: Partial<QuietReport> = {}) =>
  new Map<ServiceName, QuietReport>([
    ['orders', { ...rest, ...orders }],
    ['webhooks', { ...rest, ...webhooks }],
  ]);

describe('quiet', () => {
  it.each([{ due: 1 }, { unpublished: 1 }, { in_flight: 1 }])(
    'given %j, when it is judged, then the service moves',
    (report) => {
      expect(movingServices(round(report))).toEqual(['orders']);
    },
  );

  it('given housekeeping, when it is judged, then it moves nothing', () => {
    expect(movingServices(round({ background: 1 }))).toEqual([]);
  });

  it('given deliveries, when it is judged, then webhooks move', () => {
    expect(movingServices(round({}, { background: 1 }))).toEqual(['webhooks']);
  });

  it.each([{ published: 4 }, { consumed: 6 }])(
    'given %j in the second round, when they are compared, then they differ',
    (report) => {
      expect(hasSameCounts(round({}), round(report))).toBe(false);
    },
  );

  it('given the same counts, when they are compared, then they are the same', () => {
    expect(hasSameCounts(round({}), round({}))).toBe(true);
  });

  it('given steps of two services, when the earliest is asked for, then it is the smaller in time, not in text', () => {
    const steps = round(
      { earliest_due_at: '2026-12-21T00:10:00.000+05:30' },
      { earliest_due_at: '2026-12-20T19:00:00.000Z' },
    );
    expect(earliestStep(steps)).toEqual(new Date('2026-12-21T00:10:00+05:30'));
  });

  it('given no step, when the earliest is asked for, then there is none', () => {
    expect(earliestStep(round({}))).toBeNull();
  });
});
