import { EVENT_TYPES, EVENTS, isEventType } from './catalogue.ts';

describe('the catalogue', () => {
  it.each(EVENT_TYPES)('%s is a topic, a dot and a past word', (type) => {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
  });

  it("keeps the recorded consent and providers' words about mandates inside, and tells clients all else", () => {
    expect(EVENT_TYPES.filter((type) => !EVENTS[type].public)).toEqual([
      'mf_purchase.consent_recorded',
      'payment.mandate_fact',
      'mandate_fact.received',
    ]);
  });

  it.each(['payment.succeeded', 'toString', '__proto__', ''])('does not know "%s"', (type) => {
    expect(isEventType(type)).toBe(false);
  });
});
