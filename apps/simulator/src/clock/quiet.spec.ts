import type { ServiceName } from '@fundrail/contracts';
import {
  dueAt,
  hasSameMarks,
  isDelivering,
  movingServices,
  nextRetryAfter,
  nextStep,
  stopOf,
  quietReport,
  waitsFor,
} from './quiet.ts';
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
  earliest_unanswered_at: null,
  earliest_planned_at: null,
  objects: [],
};
const round = (orders: Partial<QuietReport>, webhooks: Partial<QuietReport> = {}) =>
  new Map<ServiceName, QuietReport | null>([
    ['orders', { ...rest, ...orders }],
    ['webhooks', { ...rest, ...webhooks }],
  ]);

describe('quiet (CLOCK-9)', () => {
  it.each([{ due: 1 }, { unpublished: 1 }, { unconsumed: 1 }, { in_flight: 1 }])(
    'given %j, when it is judged, then the service is busy',
    (report) => {
      expect(movingServices(round(report))).toEqual(['orders']);
    },
  );

  it('given a service that does not answer, when it is judged, then it counts as busy, and equals no other round', () => {
    const silent = new Map(round({})).set('orders', null);
    expect(movingServices(silent)).toEqual(['orders']);
    expect(hasSameMarks(silent, silent)).toBe(false);
  });

  it('given housekeeping, when it is judged, then it does not count as work (DUE-6, CLOCK-6)', () => {
    expect(movingServices(round({ background: 1 }))).toEqual([]);
  });

  it.each([{ background: 1 }, { in_flight: 1 }])(
    'given deliveries as %j, when they are judged, then they are distinguished from other work',
    (report) => {
      expect(movingServices(round({}, report))).toEqual([]);
      expect(isDelivering(round({}, report))).toBe(true);
    },
  );

  it('given events that webhooks has not consumed, when it is judged, then it is busy', () => {
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

  const hourly = (at: string): Partial<QuietReport> => ({
    ...{ earliest_due_at: at, earliest_unanswered_at: at, earliest_planned_at: null },
  });
  const planned = (at: string): Partial<QuietReport> => ({ ...hourly(at), earliest_planned_at: at });
  const NOON = new Date('2026-12-21T12:00:00.000Z');

  it('given services with and without steps, when it is asked which have one by a time, then it is those', () => {
    const steps = round(planned('2026-12-21T18:10:00.000+05:30'), planned('2026-12-21T13:00:00.000Z'));
    expect(dueAt(steps, new Date('2026-12-21T12:39:59.000Z'))).toEqual([]);
    expect(dueAt(steps, new Date('2026-12-21T12:40:00.000Z'))).toEqual(['orders']);
    expect(dueAt(steps.set('orders', null), new Date('2026-12-21T13:00:00.000Z'))).toEqual(['webhooks']);
    expect(dueAt(round({}), new Date('2027-12-21T13:00:00.000Z'))).toEqual([]);
  });

  it('given steps of two services, when the next is found, then it is the smaller in time, not in text (CLOCK-8)', () => {
    const steps = round(planned('2026-12-21T18:10:00.000+05:30'), planned('2026-12-21T13:00:00.000Z'));
    expect(nextStep(steps, NOON, NOON)).toEqual({ at: new Date('2026-12-21T18:10:00+05:30'), isNews: true });
  });

  it.each([
    { due: '2026-12-21T12:00:00.001+05:30', stop: '2026-12-21T12:00:01.000+05:30' },
    { due: '2026-12-21T12:00:00.999+05:30', stop: '2026-12-21T12:00:01.000+05:30' },
    { due: '2026-12-21T12:00:01.000+05:30', stop: '2026-12-21T12:00:01.000+05:30' },
  ])('given a step at $due, when the clock stops for it, then it is at $stop (CLOCK-13)', ({ due, stop }) => {
    expect(stopOf({ at: new Date(due), isNews: true })).toEqual(new Date(stop));
  });

  it('given no step, when the next is found, then there is none', () => {
    expect(nextStep(round({}), NOON, NOON)).toBeNull();
  });

  it.each([
    ['12:00', '12:30', { at: '12:30', isNews: false }],
    ['14:00', '12:30', { at: '14:00', isNews: false }],
    ['16:00', '12:30', { at: '15:00', isNews: true }],
    ['12:00', '15:00', { at: '15:00', isNews: true }],
  ])(
    'given that hourly retries wait until %s, when one is due at %s and planned work at 15:00, then %j is next',
    (from, due, next) => {
      const at = (time: string) => `2026-12-21T${time}:00.000Z`;
      const found = nextStep(round(planned(at('15:00')), hourly(at(due))), NOON, new Date(at(from)));
      expect(found).toEqual({ at: new Date(at(next.at)), isNews: next.isNews });
    },
  );

  it('given hourly retries alone, when their time has come, then they are steps', () => {
    const at = new Date('2026-12-21T13:30:00.000Z');
    expect(nextStep(round(hourly('2026-12-21T12:30:00.000Z')), NOON, at)).toEqual({ at, isNews: false });
  });

  it.each([
    ['12:30', '12:30'],
    ['13:01', '13:01'],
    ['13:02', null],
  ])(
    'given news at 12:00, when an hourly retry of an answered question is due at %s, then the next step is at %s',
    (due, next) => {
      const at = (time: string) => new Date(`2026-12-21T${time}:00.000Z`);
      const answered = round({ ...hourly(at(due).toISOString()), earliest_unanswered_at: null });
      expect(nextStep(answered, NOON, NOON)).toEqual(next && { at: at(next), isNews: false });
    },
  );

  it('given an answered and an unanswered question, when their hourly retries are due, then the unanswered one is the step', () => {
    const [first, second] = ['2026-12-21T14:00:00.000Z', '2026-12-21T15:00:00.000Z'];
    const steps = round({ ...hourly(first), earliest_unanswered_at: null }, hourly(second));
    expect(nextStep(steps, NOON, NOON)).toEqual({ at: new Date(second), isNews: false });
  });

  it('given a service of the previous release, when it reports, then each hourly retry counts as unanswered', () => {
    const due = { ...rest, ...hourly('2026-12-21T15:00:00.000Z'), earliest_unanswered_at: undefined };
    const step = { at: new Date('2026-12-21T15:00:00.000Z'), isNews: false };
    expect(nextStep(new Map([['orders', quietReport.parse(due)]]), NOON, NOON)).toEqual(step);
  });

  it('given a service of a release before, when it reports, then all its work is planned', () => {
    const old = quietReport.parse({
      ...rest,
      earliest_planned_at: undefined,
      earliest_due_at: NOON.toISOString(),
    });
    expect(nextStep(new Map([['orders', old]]), NOON, NOON)).toEqual({ at: NOON, isNews: true });
  });

  it.each([
    [0, 0],
    [61, 0],
    [62, 124],
    [124, 248],
    [7 * 24 * 60, 14 * 24 * 60],
  ])(
    'given a retry %i min after the news, when the next may be a step, then after %i min',
    (retried, next) => {
      const after = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
      expect(nextRetryAfter(NOON, after(retried))).toEqual(after(next));
    },
  );

  it('given busy services, when the report of what the clock waits for is built, then each is named with its work', () => {
    const moving = round(
      { due: 2, unconsumed: 1, objects: ['review mfp_1'] },
      { background: 1, in_flight: 3 },
    );
    expect(waitsFor(new Map(moving).set('payments', null))).toEqual([
      { service: 'orders', answers: true, due_work: 2, events: 1, calls: 0, objects: ['review mfp_1'] },
      { service: 'payments', answers: false, due_work: 0, events: 0, calls: 0, objects: [] },
      { service: 'webhooks', answers: true, due_work: 1, events: 0, calls: 3, objects: [] },
    ]);
    expect(waitsFor(round({}))).toEqual([]);
  });
});
