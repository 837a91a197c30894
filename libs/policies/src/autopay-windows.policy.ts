import { definePolicy } from './define-policy.ts';

const DAY_MINUTES = 1_440;
/** The most that DEBIT_WINDOW_MARGIN_MINUTES can be. Each window is longer, so that every debit fits into one. */
export const MOST_MARGIN_MINUTES = 30;

export const autopayWindows = definePolicy({
  name: 'autopay_windows',
  rule: 'Autopay is executed outside of the peak hours only (IST), with one attempt and up to three retries.',
  versions: [
    {
      from: '2025-08-01',
      until: null,
      // 21:30 to 10:00 is one window over midnight: two hours later the account would still be empty.
      parameters: { peak: '10:00-13:00,17:00-21:30', windows: '13:00-17:00,21:30-10:00', attempts: 4 },
      source: [
        {
          title:
            'NPCI circular to UPI members on the usage of UPI APIs, as reported by https://www.digit.in/news/general/upi-alert-npcis-new-rules-kick-in-from-august-1-heres-what-changes.html and https://docs.payu.in/docs/upi-integration-tpv-with-s2s-flow',
          number: null,
          date: '2025-05-21',
          seen: 'secondary',
        },
      ],
    },
  ],
  tenant: null,
  bounds: { attempts: [1, 10] },
  unfit: ({ peak, windows }) => {
    const read = readWindows(windows) ?? [];
    if (!read.every((window) => minutesOf(window) > MOST_MARGIN_MINUTES))
      return `each of windows must be over ${MOST_MARGIN_MINUTES} minutes`;
    return areInPeak(read, peak) ? `windows must leave out the hours of peak: ${peak}` : null;
  },
  refusal: null,
  applies_to: ['the start of mandates (DEBIT_WINDOWS, DEBIT_MOST_ATTEMPTS)', 'each execution of a UPI debit'],
});

/** A part of every day, in minutes since midnight IST. `to` is exclusive; it is on the next day when it is not after `from`. */
export interface DebitWindow {
  readonly from: number;
  readonly to: number;
}

/** Whether a debit in these windows could be executed in the peak hours, a text like the policy's. */
export function areInPeak(read: readonly DebitWindow[], peak: string): boolean {
  return read.some((window) => (readWindows(peak) ?? []).some((busy) => overlap(window, busy)));
}

/** Whether two windows have a minute in common. */
function overlap(one: DebitWindow, other: DebitWindow): boolean {
  return spansOfDay(one).some(([from, to]) =>
    spansOfDay(other).some(([otherFrom, otherTo]) => from < otherTo && otherFrom < to),
  );
}

/** The parts of one day that a window is open: two when it goes over midnight. */
function spansOfDay({ from, to }: DebitWindow): [number, number][] {
  if (to > from) return [[from, to]];
  return [
    [from, DAY_MINUTES],
    [0, to],
  ];
}

/** How long a window is open. */
export function minutesOf({ from, to }: DebitWindow): number {
  return to > from ? to - from : to - from + DAY_MINUTES;
}

/** Reads windows like `13:00-17:00,21:30-10:00`; null when the text has another form. */
export function readWindows(text: string): DebitWindow[] | null {
  const windows = text.split(',').map((part) => {
    const match = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(part.trim());
    const [hours = NaN, minutes = NaN, toHours = NaN, toMinutes = NaN] = match?.slice(1).map(Number) ?? [];
    const isTime = hours < 24 && minutes < 60 && toHours <= 24 && toMinutes < 60;
    return isTime ? { from: hours * 60 + minutes, to: toHours * 60 + toMinutes } : null;
  });
  return windows.every((window) => window !== null && window.to <= DAY_MINUTES)
    ? windows.filter((window) => window !== null)
    : null;
}
