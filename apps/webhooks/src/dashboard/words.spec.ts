import { span } from './words.ts';

describe('how long it takes, in words', () => {
  it.each([
    [0, '1 s'],
    [59_999, '59 s'],
    [270_000, '4 min 30 s'],
    [7_200_000, '2 h'],
    [7_230_000, '2 h'],
    [93_600_000, '1 d 2 h'],
  ])('given %d ms, then it is %s', (ms, words) => {
    expect(span(ms)).toBe(words);
  });
});
