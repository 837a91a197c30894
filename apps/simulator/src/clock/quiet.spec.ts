import type { ServiceName } from '@fundrail/contracts';
import { earliestStep, hasSameMarks, isDelivering, movingServices } from './quiet.ts';
import type { QuietReport } from './quiet.ts';

const rest: QuietReport = {
  due: 0,
  background: 0,
  unpublished: 0,
  unconsumed: 0,
  in_flight: 0,
  last_written: '3',
  last_consumed: '2026-11-21 10:00:00.000005+00',
  earliest_due_at: null,
};
const round = (orders: Partial<QuietReport>, webhooks: Partial<QuietReport> = {}) =>
  new Map<ServiceName, QuietReport | null>([
    ['orders', { ...rest, ...orders }],
    ['webhooks', { ...rest, ...webhooks }],
  ]);

describe('quiet', () => {
  it.each([{ due: 1 }, { unpublished: 1 }, { unconsumed: 1 }, { in_flight: 1 }])(
    'given %j, when it is judged, then the service moves',
    (report) => {
      expect(movingServices(round(report))).toEqual(['orders']);
    },
  );

  it('given a service that does not answer, when it is judged, then it moves, and compares with nothing', () => {
    const silent = new Map(round({})).set('orders', null);
    expect(movingServices(silent)).toEqual(['orders']);
    expect(hasSameMarks(silent, silent)).toBe(false);
  });

  it('given housekeeping, when it is judged, then it moves nothing', () => {
    expect(movingServices(round({ background: 1 }))).toEqual([]);
  });

  it.each([{ background: 1 }, { in_flight: 1 }])(
    'given deliveries as %j, when they are judged, then they are told apart from what moves',
    (report) => {
      expect(movingServices(round({}, report))).toEqual([]);
      expect(isDelivering(round({}, report))).toBe(true);
    },
  );

  it('given events that webhooks has not consumed, when it is judged, then it moves', () => {
    expect(movingServices(round({}, { unconsumed: 1 }))).toEqual(['webhooks']);
    expect(isDelivering(round({}, { unconsumed: 1 }))).toBe(false);
  });

  it.each([{ last_written: '4' }, { last_consumed: '2026-11-21 10:00:00.000006+00' }])(
    'given %j in the second round, when they are compared, then they differ',
    (report) => {
      expect(hasSameMarks(round({}), round(report))).toBe(false);
    },
  );

  it('given the same marks, when they are compared, then they are the same', () => {
    expect(hasSameMarks(round({}), round({}))).toBe(true);
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
