const DAY_MS = 24 * 60 * 60_000;
/** How many days are created in advance: creation may fail for that long without harm. */
const DAYS_AHEAD = 7;

/** A partition of the attempts: those stored from `starts` until before `ends`. Null: no such bound; both null: the default partition. */
export interface AttemptPartition {
  readonly name: string;
  readonly starts: Date | null;
  readonly ends: Date | null;
}

/** A day of wall time in UTC. */
export interface AttemptDay extends AttemptPartition {
  readonly starts: Date;
  readonly ends: Date;
}

/** The days without a partition, from the day of `wallNow` on. */
export function missingDays(partitions: readonly AttemptPartition[], wallNow: Date): AttemptDay[] {
  const today = Math.floor(wallNow.getTime() / DAY_MS);
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => attemptDay(today + ahead));
  return days.filter((day) => !partitions.some((partition) => covers(partition, day.starts)));
}

/** The partitions whose days are over at `before`. */
export function daysOver(partitions: readonly AttemptPartition[], before: Date): AttemptPartition[] {
  return partitions.filter(({ ends }) => ends !== null && ends <= before);
}

function attemptDay(number: number): AttemptDay {
  const [starts, ends] = [new Date(number * DAY_MS), new Date((number + 1) * DAY_MS)];
  return { name: `delivery_attempts_${starts.toISOString().slice(0, 10).replaceAll('-', '')}`, starts, ends };
}

function covers({ starts, ends }: AttemptPartition, time: Date): boolean {
  return ends !== null && time < ends && (starts === null || time >= starts);
}
