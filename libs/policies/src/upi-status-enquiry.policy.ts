import { definePolicy } from './define-policy.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const upiStatusEnquiry = definePolicy({
  name: 'upi_status_enquiry',
  rule: 'The status of a UPI transaction is first asked for 90 seconds after its start, and at most 3 times within 2 hours.',
  versions: [
    {
      from: '2025-04-26',
      until: null,
      // NPCI will allow the first question after 45 to 60 seconds, and says when.
      parameters: {
        first_seconds: 90,
        first_seconds_least: 45,
        second_minutes: 10,
        third_minutes: 60,
        most: 3,
        within_minutes: 120,
        hourly_from_minutes: 125,
      },
      source: [
        {
          title: 'NPCI circular to UPI members on status checks of transactions, with OC 214',
          number: null,
          date: '2025-04-26',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: null,
  bounds: {
    first_seconds: [1, 3_600],
    first_seconds_least: [1, 3_600],
    second_minutes: [1, 1_440],
    third_minutes: [1, 1_440],
    most: [1, 20],
    within_minutes: [1, 1_440],
    hourly_from_minutes: [1, 1_440],
  },
  unfit: ({ first_seconds_least, first_seconds, ...pace }) => {
    const { second_minutes, third_minutes, within_minutes, hourly_from_minutes } = pace;
    const isRising =
      first_seconds_least <= first_seconds &&
      first_seconds < second_minutes * 60 &&
      second_minutes < third_minutes &&
      third_minutes <= within_minutes &&
      within_minutes <= hourly_from_minutes;
    const order =
      'first_seconds_least, first_seconds, second_minutes, third_minutes, within_minutes, hourly_from_minutes';
    return isRising ? null : `must rise in this order: ${order}`;
  },
  refusal: null,
  applies_to: [
    'the start of payments and mandates (UPI_STATUS_FIRST_SECONDS)',
    'each question about a payment, an authorisation or a debit by UPI that no report of the provider has caused',
  ],
});

/** The parameters of a version, for the times of its questions. */
type Pace = (typeof upiStatusEnquiry)['versions'][number]['parameters'];

/** A question to a provider in the row of those about one transaction; `position` counts from 1, and is 4 for each that is hourly. */
export interface PlannedQuestion {
  readonly at: Date;
  readonly position: number;
}

/** A transaction by UPI and what was asked about it. */
export interface UpiQuestions {
  /** When the URI, the request or the execution went out. */
  readonly start: Date;
  /** `UPI_STATUS_FIRST_SECONDS`. */
  readonly firstSeconds: number;
  /** When operators asked at once, oldest first: each takes the place of the next planned question. */
  readonly early: readonly Date[];
}

/** The milliseconds from the start to each question within the first hours. */
function offsetsOf({ second_minutes, third_minutes, most }: Pace, firstSeconds: number): number[] {
  return [firstSeconds * 1000, second_minutes * MINUTE_MS, third_minutes * MINUTE_MS].slice(0, most);
}

/** How many of the planned questions were asked or have passed before that instant. */
function takenBefore(pace: Pace, { start, firstSeconds, early }: UpiQuestions, at: Date): number {
  const elapsed = (instant: Date) => instant.getTime() - start.getTime();
  const planned = offsetsOf(pace, firstSeconds).map((ms, index) => ({ ms, position: index + 1 }));
  const asked = early.map((instant) => ({ ms: elapsed(instant), position: null }));
  return [...planned, ...asked]
    .filter(({ ms }) => ms >= 0 && ms < elapsed(at))
    .sort((one, other) => one.ms - other.ms)
    .reduce((taken, { position }) => (position === null ? taken + 1 : Math.max(taken, position)), 0);
}

/** The first question after `now`, of which `asked` were asked by the schedule. */
export function questionAfter(
  pace: Pace,
  questions: UpiQuestions & { readonly asked: number },
  now: Date,
): PlannedQuestion {
  const { start, firstSeconds, asked } = questions;
  const offsets = offsetsOf(pace, firstSeconds);
  const elapsed = now.getTime() - start.getTime();
  const taken = Math.max(asked, takenBefore(pace, questions, new Date(now.getTime() + 1)));
  const index = offsets.findIndex((offset, place) => place >= taken && offset > elapsed);
  if (index >= 0) return { at: new Date(start.getTime() + (offsets[index] ?? 0)), position: index + 1 };
  const from = pace.hourly_from_minutes * MINUTE_MS;
  const hours = elapsed < from ? 0 : Math.floor((elapsed - from) / HOUR_MS) + 1;
  return { at: new Date(start.getTime() + from + hours * HOUR_MS), position: offsets.length + 1 };
}

/** From when on an operator may ask: `now`, the time of the first question, or the end of the hours when all are taken. */
export function allowedFrom(pace: Pace, questions: UpiQuestions, now: Date): Date {
  const { start, firstSeconds } = questions;
  const first = new Date(start.getTime() + firstSeconds * 1000);
  if (now < first) return first;
  return hasLeft(pace, questions, now) ? now : new Date(start.getTime() + pace.within_minutes * MINUTE_MS);
}

/**
 * Whether a client's cancellation may ask: from the time of the first question on, while two of the questions within the hours are left.
 * The last one is the schedule's, so a client that cancels again and again delays no result until the hours are over.
 */
export function leavesOne(pace: Pace, questions: UpiQuestions, now: Date): boolean {
  const { start, firstSeconds } = questions;
  if (now.getTime() - start.getTime() < firstSeconds * 1000) return false;
  return hasLeft({ ...pace, most: pace.most - 1 }, questions, now);
}

/** Whether one of the questions within the hours is left, or the hours are over. */
function hasLeft(pace: Pace, questions: UpiQuestions, now: Date): boolean {
  const isOver = now.getTime() - questions.start.getTime() >= pace.within_minutes * MINUTE_MS;
  return isOver || takenBefore(pace, questions, new Date(now.getTime() + 1)) < pace.most;
}

/** Whether an operator's question has taken the place of a planned one, which is then left out. */
export function isTaken(pace: Pace, questions: UpiQuestions, { at, position }: PlannedQuestion): boolean {
  if (position === 0 || position > pace.most) return false;
  // Another version may have planned it, whose time for it is not that of `pace`: only those before it in the row count.
  return takenBefore({ ...pace, most: position - 1 }, questions, at) >= position;
}
