import { isGivenUp, nextCallback, type CallbackRow } from './callback.ts';

const NOW = new Date('2026-12-21T10:00:00+05:30');
const LATER = new Date(NOW.getTime() + 1_000);
const callback = (id: number, parts: Partial<CallbackRow> = {}): CallbackRow => ({
  id,
  event_id: `e${id}`,
  tenant: 'demo',
  topic: 'orders',
  reference: 'mfp_1',
  body: '{}',
  fault: null,
  not_before: NOW,
  created_at: NOW,
  ...parts,
});

describe('the next callback of an object', () => {
  it('given two, when the next is chosen, then it is the older', () => {
    expect(nextCallback([callback(1), callback(2)], NOW)).toEqual({ send: callback(1) });
  });

  it('given none, when the next is chosen, then there is none', () => {
    expect(nextCallback([], NOW)).toBeNull();
  });

  it('given a delayed one, when the next is chosen, then those behind it wait too', () => {
    expect(nextCallback([callback(1, { not_before: LATER, fault: 'delay' }), callback(2)], NOW)).toEqual({
      wait: LATER,
    });
  });

  it('given one to be overtaken, when another exists, then the other is sent first', () => {
    const overtaken = callback(1, { fault: 'reorder', not_before: LATER });
    expect(nextCallback([overtaken, callback(2)], NOW)).toEqual({ send: callback(2) });
  });

  it('given one to be overtaken, when no other comes, then it is sent alone after a while', () => {
    const overtaken = callback(1, { fault: 'reorder', not_before: LATER });
    expect(nextCallback([overtaken], NOW)).toEqual({ wait: LATER });
    expect(nextCallback([overtaken], LATER)).toEqual({ send: overtaken });
  });

  it('given a day without success, when it is checked, then it is given up', () => {
    expect(isGivenUp(callback(1), new Date(NOW.getTime() + 24 * 3_600_000))).toBe(false);
    expect(isGivenUp(callback(1), new Date(NOW.getTime() + 24 * 3_600_001))).toBe(true);
  });
});
