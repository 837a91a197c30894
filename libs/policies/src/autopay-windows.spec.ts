import { readWindows } from './autopay-windows.policy.ts';

describe('windows of a day', () => {
  it.each([
    [
      '13:00-17:00,21:30-10:00',
      [
        { from: 780, to: 1020 },
        { from: 1290, to: 600 },
      ],
    ],
    [' 00:00-24:00', [{ from: 0, to: 1440 }]],
    ['13:00', null],
    ['25:00-26:00', null],
    ['13:00-24:30', null],
    ['', null],
  ])('are read from %p', (text, windows) => {
    expect(readWindows(text)).toEqual(windows);
  });
});
