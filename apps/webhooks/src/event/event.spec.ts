import { bodyFor, eventBody, newEventRow } from './event.ts';

const event = {
  id: 'evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  type: 'payment.updated',
  tenant: 'demo',
  aggregate_id: '1001',
  sequence: 2,
  occurred_at: '2026-11-21T10:00:00.000+05:30',
  data_text: '{"object":{"id":1001,"amount":1001.0000},"previous_attributes":{"upi":null}}',
  traceparent: null,
};

describe('the body of an event', () => {
  it('carries the data byte for byte, in the order of HOOK-10', () => {
    expect(eventBody(event)).toBe(
      '{"id":"evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b","object":"event","type":"payment.updated",' +
        '"data":{"object":{"id":1001,"amount":1001.0000},"previous_attributes":{"upi":null}},' +
        '"time":"2026-11-21T10:00:00.000+05:30"}',
    );
  });

  it('is the stored text itself for an endpoint of ours, and keeps all but the names for one of the upstream (COMP-4)', () => {
    const data_text =
      '{"object":{"id":1001,"amount":1001.0000,"provider_name":"SDKVENDOR"},"previous_attributes":null}';
    const stored = eventBody({ ...event, data_text });
    expect(bodyFor(null, stored)).toBe(stored);
    expect(bodyFor('upstream', stored)).toBe(stored.replace('SDKVENDOR', 'RAZORPAY'));
  });

  it('distinguishes two kinds of objects with the same id', () => {
    const subjects = ['payment.failed', 'mandate.approved'].map(
      (type) => newEventRow({ ...event, type }, new Date()).subject,
    );
    expect(subjects).toEqual(['payment:1001', 'mandate:1001']);
  });
});
