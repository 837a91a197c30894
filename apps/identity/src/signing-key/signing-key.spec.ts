import {
  activeKey,
  KEEP_AFTER_MS,
  nextKeyBegins,
  PUBLISH_AHEAD_MS,
  retiredKeys,
  ROTATE_EVERY_MS,
} from './signing-key.ts';

const start = new Date('2026-11-21T10:00:00Z');
const at = (ms: number) => new Date(start.getTime() + ms);
const key = (kid: string, ms: number) => ({ kid, active_from: at(ms) });

describe('signing keys', () => {
  it('start at once when there is none', () => {
    expect(nextKeyBegins([], start)).toEqual(start);
    expect(activeKey([], start)).toBeNull();
  });

  it('get no successor until 15 minutes before their 30 days are over', () => {
    const keys = [key('one', 0)];
    expect(nextKeyBegins(keys, at(ROTATE_EVERY_MS - PUBLISH_AHEAD_MS - 1))).toBeNull();
    expect(nextKeyBegins(keys, at(ROTATE_EVERY_MS - PUBLISH_AHEAD_MS))).toEqual(at(ROTATE_EVERY_MS));
  });

  it('are published 15 minutes ahead even when the service was stopped on that day', () => {
    const late = at(ROTATE_EVERY_MS * 3);
    expect(nextKeyBegins([key('one', 0)], late)).toEqual(new Date(late.getTime() + PUBLISH_AHEAD_MS));
  });

  it('continue signing until the next one starts', () => {
    const keys = [key('two', ROTATE_EVERY_MS), key('one', 0)];
    expect(activeKey(keys, at(ROTATE_EVERY_MS - 1))?.kid).toBe('one');
    expect(activeKey(keys, at(ROTATE_EVERY_MS))?.kid).toBe('two');
  });

  it('stay published for an hour after their last use', () => {
    const keys = [key('one', 0), key('two', ROTATE_EVERY_MS)];
    expect(retiredKeys(keys, at(ROTATE_EVERY_MS + KEEP_AFTER_MS - 1))).toEqual([]);
    expect(retiredKeys(keys, at(ROTATE_EVERY_MS + KEEP_AFTER_MS)).map((gone) => gone.kid)).toEqual(['one']);
  });
});
