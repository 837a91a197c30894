import type { Language } from './texts.ts';

const LOCALES = { en: 'en-IN', hi: 'hi-IN' } as const satisfies Record<Language, string>;
const INDIA = 'Asia/Kolkata';

/** `4:05 pm`, in Indian time. */
export function timeOf(at: Date, language: Language): string {
  return written(at, language, { hour: 'numeric', minute: '2-digit', hour12: true });
}

/** `23 Nov 2026, 4:05 pm`, in Indian time. */
export function momentOf(at: Date, language: Language): string {
  return `${written(at, language, { day: 'numeric', month: 'short', year: 'numeric' })}, ${timeOf(at, language)}`;
}

/** A date `2026-11-23` of India as `23 Nov 2026`. */
export function dayOf(date: string, language: Language): string {
  return written(new Date(`${date}T12:00:00+05:30`), language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
}

/** A date `2026-11-23` of India as `23 November`. */
export function dayAndMonthOf(date: string, language: Language): string {
  return written(new Date(`${date}T12:00:00+05:30`), language, { day: 'numeric', month: 'long' });
}

/** A cut-off `14:45` as `2:45 pm`; in Hindi `दोपहर 2:45`, as the time of the day is written before it. */
export function cutOffOf(clock: string, language: Language): string {
  if (language === 'en') return clockTimeOf(clock, language);
  const at = new Date(`2026-01-01T${clock}:00+05:30`);
  return written(at, language, { hour: 'numeric', minute: '2-digit', hour12: true, dayPeriod: 'long' });
}

/** A time `10:00` of the configuration as `10:00 am`. */
export function clockTimeOf(clock: string, language: Language): string {
  return timeOf(new Date(`2026-01-01T${clock}:00+05:30`), language);
}

// ICU puts a narrow no-break space before "pm"; some fonts do not have it.
function written(at: Date, language: Language, format: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALES[language], { ...format, timeZone: INDIA })
    .format(at)
    .replaceAll('\u202f', ' ');
}
