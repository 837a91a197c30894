import type { ServiceName } from '@fundrail/contracts';
import { quietAnswer } from '@fundrail/service-kit';
import { z } from 'zod';

/** The answer of all replicas of a service. Its release may be another one: it may add fields, or not know the latest. */
export const quietReport = z.object({
  ...quietAnswer.shape,
  /** Without it each hourly retry counts as unanswered. */
  earliest_unanswered_at: quietAnswer.shape.earliest_unanswered_at.optional(),
  /** Without it all work of the service counts as planned. */
  earliest_planned_at: quietAnswer.shape.earliest_planned_at.optional(),
  objects: quietAnswer.shape.objects.default([]),
});
export type QuietReport = z.output<typeof quietReport>;

/** The reports of all services, requested in parallel; null: no response. */
export type Round = ReadonlyMap<ServiceName, QuietReport | null>;

/** The service that makes deliveries. A jump waits for them for a limited time only (CLOCK-6). */
export const DELIVERING: ServiceName = 'webhooks';

/** The services that are busy or do not respond. Deliveries and housekeeping do not count. */
export function movingServices(round: Round): ServiceName[] {
  return [...round].filter(([name, report]) => !isSettled(name, report)).map(([name]) => name);
}

function isSettled(name: ServiceName, report: QuietReport | null): boolean {
  if (!report) return false;
  // The calls that run in webhooks are deliveries.
  const calls = name === DELIVERING ? 0 : report.in_flight;
  return report.due === 0 && report.unpublished === 0 && report.unconsumed === 0 && calls === 0;
}

/** Whether deliveries are due or under way. */
export function isDelivering(round: Round): boolean {
  const report = round.get(DELIVERING);
  return report != null && (report.background > 0 || report.in_flight > 0);
}

/** What the clock waits for in one service. `answers` is false when the service does not respond. */
export interface Waiting {
  readonly service: ServiceName;
  readonly answers: boolean;
  readonly due_work: number;
  readonly events: number;
  readonly calls: number;
  readonly objects: string[];
}

/** What a move is waiting for: unfinished work, and for a limited time deliveries. */
export function waitsFor(round: Round): Waiting[] {
  const services = new Set(movingServices(round));
  if (isDelivering(round)) services.add(DELIVERING);
  return [...services].map((service) => {
    const report = round.get(service);
    if (!report) return { service, answers: false, due_work: 0, events: 0, calls: 0, objects: [] };
    const due_work = report.due + (service === DELIVERING ? report.background : 0);
    const events = report.unpublished + report.unconsumed;
    return { service, answers: true, due_work, events, calls: report.in_flight, objects: report.objects };
  });
}

/** Whether nothing was written or consumed between two rounds. An event in transit may not be in any service's count. */
export function hasSameMarks(one: Round, other: Round): boolean {
  return [...one].every(([name, first]) => {
    const second = other.get(name);
    if (!first || !second) return false;
    return first.last_written === second.last_written && first.last_consumed === second.last_consumed;
  });
}

/** The services that have a step when the clock comes to `at`. */
export function dueAt(round: Round, at: Date): ServiceName[] {
  const isDue = (report: QuietReport | null) =>
    report?.earliest_due_at != null && new Date(report.earliest_due_at) <= at;
  return [...round].filter(([, report]) => isDue(report)).map(([name]) => name);
}

/** Where the clock stops next. `isNews`: planned work runs there, so an hourly retry may get another answer afterwards. */
export interface Step {
  readonly at: Date;
  readonly isNews: boolean;
}

/**
 * The earliest step of any service, or null when none is left before the target. Hourly retries wait until `hourlyFrom`. Later than an hour
 * after the last news, those whose question was answered are no steps (CLOCK-12).
 */
export function nextStep(round: Round, news: Date, hourlyFrom: Date): Step | null {
  const planned = earliest(round, (report) =>
    report.earliest_planned_at === undefined ? report.earliest_due_at : report.earliest_planned_at,
  );
  const due = earliest(round, (report) => report.earliest_due_at);
  const isSoon = due !== null && due.getTime() - news.getTime() <= HOUR_MS;
  const retried = isSoon ? due : earliest(round, unansweredOf);
  const retry = retried && (retried < hourlyFrom ? hourlyFrom : retried);
  return retry && (!planned || retry < planned)
    ? { at: retry, isNews: false }
    : planned && { at: planned, isNews: true };
}

/**
 * When the clock stops for it: at the end of the second, with all else that falls due in it (CLOCK-13). A service polls four times a
 * second at most, so in real time work is done no more exactly.
 */
export function stopOf({ at }: Step): Date {
  return new Date(Math.ceil(at.getTime() / 1_000) * 1_000);
}

/**
 * When the next hourly retry may be a step, after one at `retried`. In the first hour after the last news each runs at its time. Then the
 * pauses double: the longer nothing new has happened, the less often the clock stops for a retry (CLOCK-12).
 */
export function nextRetryAfter(news: Date, retried: Date): Date {
  const sinceMs = retried.getTime() - news.getTime();
  return sinceMs <= HOUR_MS ? news : new Date(news.getTime() + 2 * sinceMs);
}

/** A minute more than an hour: a retry is due an hour after the end of the one before. */
const HOUR_MS = 3_660_000;

function unansweredOf({ earliest_unanswered_at, earliest_due_at }: QuietReport): string | null {
  return earliest_unanswered_at === undefined ? earliest_due_at : earliest_unanswered_at;
}

function earliest(round: Round, timeOf: (report: QuietReport) => string | null): Date | null {
  const times = [...round.values()].flatMap((report) => {
    const time = report && timeOf(report);
    return time ? [new Date(time).getTime()] : [];
  });
  return times.length === 0 ? null : new Date(Math.min(...times));
}
