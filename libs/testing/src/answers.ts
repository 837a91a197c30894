/** What a provider or a gateway answers, as its fakes say it. */
export const yes = <T>(value: T) => ({ kind: 'yes', value }) as const;
export const YES = yes(null);
export const SILENCE = { kind: 'unknown', why: 'no_answer', detail: 'time-out' } as const;
export const NONSENSE = { kind: 'unknown', why: 'not_understood', detail: 'status: unknown word' } as const;
export const NOT_FOUND = { kind: 'not_found' } as const;
