import { EVENT_TYPES, EVENTS, isEventType } from './catalogue.ts';

describe('the catalogue', () => {
  it.each(EVENT_TYPES)('%s is a topic, a dot and a past word', (type) => {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
  });

  it('keeps the recorded consent inside, and tells clients all else', () => {
    expect(EVENT_TYPES.filter((type) => !EVENTS[type].public)).toEqual(['mf_purchase.consent_recorded']);
  });

  it.each(['payment.succeeded', 'toString', '__proto__', ''])('does not know "%s"', (type) => {
    expect(isEventType(type)).toBe(false);
  });
});
