import {
  afterAttempt,
  assertEnabled,
  healthAfter,
  letsNextGo,
  retriedDelivery,
  type AttemptAnswer,
} from './delivery.ts';
import type { DeliveryRow } from './delivery.table.ts';

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
  failure_code: null,
  in_order: true,
  tries: 0,
  due_at: now,
  planned_at: null,
  followers: 0,
  lease_token: 'ours',
  leased_until: later(20_000),
  replay: null,
  retried_of: null,
  created_at: now,
  ...over,
});
const answer = (over: Partial<AttemptAnswer> = {}): AttemptAnswer => ({
  webhook_timestamp: 1_795_428_000,
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
  isOfOldUrl: false,
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
      failure_code: 'attempts_exhausted',
      tries: 10,
      due_at: null,
    });
  });

  describe('that a success of its endpoint made due early', () => {
    const hastened = delivery({ tries: 3, planned_at: later(60_000) });

    it('is not counted when it fails, and waits for its planned time', () => {
      expect(afterAttempt(hastened, attempt())).toMatchObject({
        status: 'pending',
        tries: 3,
        due_at: later(60_000),
        planned_at: later(60_000),
        lease_token: null,
      });
      expect(afterAttempt(hastened, attempt({ status: 429, retry_after_ms: 90_000 })).due_at).toEqual(
        later(90_000),
      );
    });

    it('continues with the table from its planned time', () => {
      const planned = { ...attempt(), now: later(60_000) };
      expect(afterAttempt(hastened, planned)).toMatchObject({
        tries: 4,
        due_at: later(60_000 + 2 * 3_600_000),
        planned_at: null,
      });
    });

    it('ends with a success, 410, or a manual retry', () => {
      expect(afterAttempt(hastened, attempt({ status: 204 })).status).toBe('delivered');
      expect(afterAttempt(hastened, attempt({ status: 410 })).status).toBe('failed');
      expect(retriedDelivery(hastened, now)).toMatchObject({ tries: 0, planned_at: null });
    });
  });

  it('is given up when the endpoint responds with 410', () => {
    expect(afterAttempt(delivery(), attempt({ status: 410 }))).toMatchObject({
      status: 'failed',
      failure_code: 'endpoint_gone',
      due_at: null,
    });
  });

  it.each([
    ['fails', attempt()],
    ['says 410', attempt({ status: 410 })],
    ['asks for a day', attempt({ status: 503, retry_after_ms: 86_400_000 })],
  ])('goes to the new URL immediately when the old one %s, also at its tenth attempt', (_, given) => {
    const tenth = delivery({ tries: 9, due_at: later(-1_000) });
    expect(afterAttempt(tenth, { ...given, isOfOldUrl: true })).toEqual({
      ...tenth,
      ...{ due_at: now, lease_token: null, leased_until: null },
    });
  });

  it('waits as long as the endpoint requests', () => {
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

  it('is not sent a second time while an attempt is in progress, when a retry is requested', () => {
    const row = retriedDelivery(delivery({ lease_token: 'ours' }), now);
    expect(row).toMatchObject({ lease_token: 'ours', in_order: false, due_at: now });
  });

  it('starts again, out of order, when a retry is requested (HOOK-25, HOOK-27)', () => {
    const row = retriedDelivery(delivery({ status: 'failed', tries: 10, due_at: null }), now);
    expect(row).toMatchObject({ status: 'pending', tries: 0, in_order: false, due_at: now });
  });

  it('is not retried while its endpoint is disabled (HOOK-25)', () => {
    expect(() => assertEnabled({ status: 'enabled' })).not.toThrow();
    expect(() => assertEnabled({ status: 'disabled' })).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_TRANSITION' }),
    );
  });
});

describe('the next event of an object', () => {
  const first = delivery({ followers: 1 });
  const delivered = { ...first, status: 'delivered', due_at: null } as const;

  it('is released when the one before it was delivered, given up, or is retried manually', () => {
    expect(letsNextGo(first, delivered)).toBe(true);
    expect(letsNextGo(first, { ...delivered, status: 'failed' })).toBe(true);
    expect(letsNextGo(first, retriedDelivery(first, now))).toBe(true);
  });

  it('waits while the one before it does', () => {
    expect(letsNextGo(first, afterAttempt(first, attempt()))).toBe(false);
  });

  it.each([
    ['nothing waits', delivery()],
    ['it was held itself', delivery({ followers: 1, due_at: null })],
    ['it was outside the order', delivery({ followers: 1, in_order: false })],
    ['it had ended', delivery({ followers: 1, status: 'failed', due_at: null })],
  ])('is not released when %s', (_case, before) => {
    expect(letsNextGo(before, { ...before, status: 'delivered', due_at: null })).toBe(false);
  });
});

describe('an endpoint after an attempt', () => {
  const well = { failing_since: null, paused_until: null };
  const failing = { failing_since: now, paused_until: null };

  it('keeps the time of its first failure until a success', () => {
    expect(healthAfter(well, answer(), now)).toEqual({ ...failing, disable: null });
    expect(healthAfter(failing, answer(), later(DAY))).toEqual({ ...failing, disable: null });
    expect(healthAfter(failing, answer({ status: 200 }), later(DAY))).toEqual({ ...well, disable: null });
  });

  it('is disabled immediately by 410, and after five days of failures', () => {
    expect(healthAfter(well, answer({ status: 410 }), now).disable).toContain('410');
    expect(healthAfter(failing, answer(), later(5 * DAY - 1)).disable).toBeNull();
    expect(healthAfter(failing, answer(), later(5 * DAY)).disable).toContain('5 days');
  });

  it('is paused for the longest time that it requested', () => {
    const asked = (retry_after_ms: number | null) => answer({ status: 429, retry_after_ms });
    expect(healthAfter(well, asked(60_000), now).paused_until).toEqual(later(60_000));
    const paused = { ...failing, paused_until: later(60_000) };
    expect(healthAfter(paused, asked(10_000), now).paused_until).toEqual(later(60_000));
    expect(healthAfter(paused, asked(null), now).paused_until).toEqual(later(60_000));
    expect(healthAfter(paused, answer({ status: 200 }), now).paused_until).toEqual(later(60_000));
  });
});
