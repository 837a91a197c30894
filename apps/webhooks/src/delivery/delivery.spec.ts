import { afterAttempt, healthAfter, retriedDelivery, type AttemptAnswer } from './delivery.ts';
import type { DeliveryRow } from './delivery.entity.ts';

const now = new Date('2026-11-21T10:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const DAY = 86_400_000;

const delivery = (over: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id: 'whd_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  tenant: 'demo',
  webhook: 'nwh_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  event: 'evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  type: 'payment.updated',
  object_id: '1001',
  subject: 'payment:1001',
  sequence: 2,
  status: 'pending',
  in_order: true,
  tries: 0,
  due_at: now,
  lease_token: 'ours',
  leased_until: later(20_000),
  created_at: now,
  ...over,
});
const answer = (over: Partial<AttemptAnswer> = {}): AttemptAnswer => ({
  status: 500,
  duration_ms: 12,
  error: null,
  response_body: '',
  retry_after_ms: null,
  ...over,
});
const attempt = (over: Partial<AttemptAnswer> = {}) => ({
  answer: answer(over),
  leaseToken: 'ours',
  random: 0.5,
  now,
});

describe('a delivery after an attempt', () => {
  it.each([200, 201, 204, 299])('is delivered by %i', (status) => {
    expect(afterAttempt(delivery(), attempt({ status }))).toMatchObject({
      status: 'delivered',
      due_at: null,
      lease_token: null,
    });
  });

  it.each([null, 199, 301, 302, 400, 404, 429, 500, 503])('waits for the next attempt after %s', (status) => {
    expect(afterAttempt(delivery(), attempt({ status }))).toMatchObject({
      status: 'pending',
      tries: 1,
      due_at: later(5_000),
      lease_token: null,
    });
  });

  it('is given up after the tenth attempt', () => {
    expect(afterAttempt(delivery({ tries: 9 }), attempt())).toMatchObject({
      status: 'failed',
      tries: 10,
      due_at: null,
    });
  });

  it('is given up when the endpoint is gone', () => {
    expect(afterAttempt(delivery(), attempt({ status: 410 }))).toMatchObject({
      status: 'failed',
      due_at: null,
    });
  });

  it('waits as long as the endpoint asks', () => {
    expect(afterAttempt(delivery(), attempt({ status: 503, retry_after_ms: 60_000 })).due_at).toEqual(
      later(60_000),
    );
  });

  it.each([
    ['was given up meanwhile', delivery({ status: 'failed', due_at: null })],
    ['is leased by another', delivery({ lease_token: 'theirs' })],
  ])('that %s is changed by a success only', (_case, row) => {
    expect(afterAttempt(row, attempt())).toBe(row);
    expect(afterAttempt(row, attempt({ status: 200 })).status).toBe('delivered');
  });

  it('starts anew, out of order, when a retry is asked for', () => {
    const row = retriedDelivery(delivery({ status: 'failed', tries: 10, due_at: null }), now);
    expect(row).toMatchObject({ status: 'pending', tries: 0, in_order: false, due_at: now });
  });
});

describe('an endpoint after an attempt', () => {
  it('remembers its first failure until a success', () => {
    expect(healthAfter({ failing_since: null }, answer(), now)).toEqual({
      failing_since: now,
      disable: null,
    });
    expect(healthAfter({ failing_since: now }, answer(), later(DAY))).toEqual({
      failing_since: now,
      disable: null,
    });
    expect(healthAfter({ failing_since: now }, answer({ status: 200 }), later(DAY))).toEqual({
      failing_since: null,
      disable: null,
    });
  });

  it('is disabled by 410 at once, and by five days of failures', () => {
    expect(healthAfter({ failing_since: null }, answer({ status: 410 }), now).disable).toContain('410');
    expect(healthAfter({ failing_since: now }, answer(), later(5 * DAY - 1)).disable).toBeNull();
    expect(healthAfter({ failing_since: now }, answer(), later(5 * DAY)).disable).toContain('5 days');
  });
});
