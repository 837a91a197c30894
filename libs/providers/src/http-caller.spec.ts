import { retryAfterMs, tooMany } from './http-caller.ts';

const NOW = Date.parse('2026-12-21T10:00:00+05:30');

describe('the pause that a 429 asks for', () => {
  it.each([
    ['1500', 1_500_000],
    ['0', 1_000],
    ['31536000', 3_600_000],
    ['Mon, 21 Dec 2026 04:31:00 GMT', 60_000],
    ['Mon, 21 Dec 2026 04:00:00 GMT', 1_000],
    ['Tue, 21 Dec 2027 04:30:00 GMT', 3_600_000],
    ['soon', 5_000],
    [undefined, 5_000],
  ])('%s is kept for %s ms: a second at least, an hour at most', (header, ms) => {
    const said = retryAfterMs(header, NOW);
    expect(tooMany(said === null ? {} : { retry_after_ms: said }).retry_after_ms).toBe(ms);
  });
});
