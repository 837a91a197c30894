import { EVENT_TYPES, EVENTS, isEventType } from './catalogue.ts';

describe('the catalogue', () => {
  it.each(EVENT_TYPES)('%s is a topic, a dot and a past word', (type) => {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
  });

  it('hides events that only services need, and publishes all others to clients (EVT-1)', () => {
    expect(EVENT_TYPES.filter((type) => !EVENTS[type].public)).toEqual([
      'mf_purchase.consent_recorded',
      'mf_redemption.consent_recorded',
      'payment.mandate_fact',
      'payment.debit_fact',
      'payment.debit_handed_over',
      'mandate_fact.received',
      'mandate_debit.planned',
      'mandate_debit.submitted',
      'mandate_debit.succeeded',
      'mandate_debit.failed',
      'mandate_debit.cancelled',
      'mf_redemption_plan.installment_generated',
      'mf_purchase_plan.installment_generated',
      'holiday_year.replaced',
    ]);
  });

  it.each(['payment.succeeded', 'toString', '__proto__', ''])('does not know "%s"', (type) => {
    expect(isEventType(type)).toBe(false);
  });
});
