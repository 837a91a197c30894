import type { AttemptAnswer } from '../delivery/delivery.ts';
import { newNotificationWebhook } from '../notification-webhook/notification-webhook.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import {
  afterChallenge,
  challengedAgain,
  CHALLENGE_LIMITS,
  challengeBody,
  challengeFault,
  challengeText,
  challengeWait,
  hostOf,
  isChallengeDue,
  isUnverified,
  assertNoWait,
  assertOpen,
  withoutVerification,
  withVerification,
  type SentChallenge,
} from './verification.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const at = (ms: number) => new Date(NOW.getTime() + ms);
const plain = newNotificationWebhook(
  { url: 'https://shop.example/hooks', events: ['*'], status: 'enabled' },
  { id: 'nwh_1', tenant: 'demo', secret_encrypted: 'x', compatibility: null, now: NOW },
);
const pending = withVerification(plain, NOW);
const asked: NotificationWebhookRow = { ...pending, challenge: 'whc_1', challenge_until: at(20_000) };
const times = { now: NOW, wallNow: NOW };
const right = { id: 'whc_1', fault: null, retryAfterMs: null };
const wrong = { id: 'whc_1', fault: 'the answer is not the challenge', retryAfterMs: null };

const challenge = challengeText(Buffer.alloc(32, 7));
const answer = (response_body: string | null, status: number | null = 200): AttemptAnswer => ({
  webhook_timestamp: 1,
  status,
  duration_ms: 1,
  error: status === null ? 'no answer within 15000 ms' : null,
  response_body,
  retry_after_ms: null,
});

describe('the answer to a challenge (HOOK-30)', () => {
  it.each([
    ['JSON', JSON.stringify({ challenge })],
    ['JSON with more in it', JSON.stringify({ ok: true, challenge })],
    ['the text itself', challenge],
    ['the text with a line end', `${challenge}\n`],
  ])('is right as %s', (_, body) => {
    expect(challengeFault(challenge, answer(body))).toBeNull();
  });

  const body = challengeBody(pending, { id: 'whc_1', challenge, now: NOW });
  it.each([
    ['another text', 'pong'],
    ['nothing', ''],
    ['no body', null],
    ['the challenge of another', JSON.stringify({ challenge: challengeText(Buffer.alloc(32, 8)) })],
    ['null', 'null'],
    ['a list', JSON.stringify([challenge])],
    ['broken JSON', `{"challenge":"${challenge}"`],
    ['a page that has it', `<html>${challenge}</html>`],
    ['what was sent, sent back', body],
  ])('is wrong as %s', (_, wrongBody) => {
    expect(challengeFault(challenge, answer(wrongBody))).toBe('the answer is not the challenge');
  });

  it.each([
    [500, 'the challenge was answered with 500, not with 2xx'],
    [302, 'the challenge was answered with 302, not with 2xx'],
    [null, 'no answer within 15000 ms'],
  ])('given the status %s, then it is wrong, whatever its body', (status, fault) => {
    expect(challengeFault(challenge, answer(challenge, status))).toBe(fault);
  });
});

describe('an endpoint that was challenged', () => {
  it('given the right answer, then it is verified and gets no more challenges', () => {
    expect(afterChallenge(asked, right, times)).toEqual({
      ...pending,
      verification: 'verified',
      challenge_due_at: null,
    });
  });

  it('given wrong answers, then it is challenged after 30 s, 2, 10 and 30 min, and then has failed (HOOK-31, HOOK-32)', () => {
    let row = asked;
    const pauses: (number | null)[] = [];
    for (let count = 0; count < 5; count += 1) {
      row = afterChallenge({ ...asked, ...row, ...inFlight }, wrong, times) ?? row;
      pauses.push(row.challenge_due_at && row.challenge_due_at.getTime() - NOW.getTime());
    }
    expect(pauses).toEqual([30_000, 120_000, 600_000, 1_800_000, null]);
    expect(row).toMatchObject({ verification: 'verification_failed', verification_error: wrong.fault });
  });

  it('given Retry-After, then the next challenge waits as long', () => {
    const after = afterChallenge(asked, { ...wrong, retryAfterMs: 3_600_000 }, times);
    expect(after?.challenge_due_at).toEqual(at(3_600_000));
  });

  it.each([
    ['another challenge was sent since', { challenge: 'whc_2' }],
    ['it got another URL since', { challenge: null, challenge_until: null }],
    ['its time is over', { challenge_until: NOW }],
    ['it was disabled since', { status: 'disabled' as const }],
  ])('given an answer, right or wrong, when %s, then the answer is ignored', (_, over) => {
    expect(afterChallenge({ ...asked, ...over }, right, times)).toBeNull();
    expect(afterChallenge({ ...asked, ...over }, wrong, times)).toBeNull();
  });

  it('given that it need not be verified, when it does not answer, then it keeps its events', () => {
    const row = { ...asked, verification: 'not_required' as const, challenge_tries: 4 };
    const after = afterChallenge(row, wrong, times);
    expect(after).toMatchObject({ verification: 'not_required', challenge_due_at: null });
    expect(afterChallenge(row, right, times)).toMatchObject({ verification: 'verified' });
  });
});

const inFlight = { challenge: 'whc_1', challenge_until: at(20_000) };

describe('an endpoint that is verified again', () => {
  const failed = { ...plain, verification: 'verification_failed' as const, verification_error: 'x' };

  it('given that it failed, then it is pending again, from the start of the schedule', () => {
    expect(challengedAgain(failed, NOW, NOW)).toMatchObject({
      verification: 'pending_verification',
      verification_error: null,
      challenge_due_at: NOW,
      challenge_tries: 0,
    });
  });

  it('given that it waits for its next challenge, then that is due', () => {
    const row = { ...pending, challenge_due_at: at(60_000), challenge_tries: 2 };
    expect(challengedAgain(row, NOW, NOW)).toMatchObject({ challenge_due_at: NOW, challenge_tries: 0 });
  });

  it('given that it is from before the setting, then it is challenged and keeps its events', () => {
    expect(challengedAgain(plain, NOW, NOW)).toMatchObject({
      verification: 'not_required',
      challenge_due_at: NOW,
    });
  });

  it.each([
    ['is verified', { ...plain, verification: 'verified' as const }],
    ['is due', pending],
    ['has a challenge in progress', asked],
  ])('given that it %s, then nothing happens', (_, row) => {
    expect(challengedAgain(row, NOW, NOW)).toBeNull();
  });
});

describe('a challenge', () => {
  it.each([
    ['is due', pending, true],
    ['of a disabled endpoint waits', { ...pending, status: 'disabled' as const }, false],
    ['waits for its time', { ...pending, challenge_due_at: at(1) }, false],
    ['is not sent while one is in progress', asked, false],
    ['is sent when the one before was never recorded', { ...asked, challenge_until: NOW }, true],
    ['is never due where none is planned', plain, false],
  ])('%s', (_, row, due) => {
    expect(isChallengeDue(row, NOW, NOW)).toBe(due);
  });

  const sent = (count: number, one: Partial<SentChallenge> = {}): SentChallenge[] =>
    Array.from({ length: count }, (_, n) => ({
      webhook: `nwh_of_${n}`,
      host: `${n}.example`,
      at: at(-50_000 + n),
      ...one,
    }));
  const target = { webhook: 'nwh_1', host: 'shop.example' };
  it.each([
    ['the endpoint', CHALLENGE_LIMITS.endpoint, { webhook: 'nwh_1' }],
    ['the host', CHALLENGE_LIMITS.host, { host: 'shop.example' }],
    ['the tenant', CHALLENGE_LIMITS.tenant, {}],
  ])(
    'given the maximum per minute for %s, then the next one waits until the first is a minute old (HOOK-33)',
    (_, most, one) => {
      expect(challengeWait(sent(most - 1, one), target, NOW)).toBe(0);
      const wait = challengeWait(sent(most, one), target, NOW);
      expect(wait).toBe(10_000);
      expect(() => assertNoWait(wait)).toThrow(
        expect.objectContaining({ code: 'RATE_LIMITED', retryAfter: 10 }),
      );
    },
  );

  it('is limited to 3 per minute for an endpoint, 6 for a host and 30 for a tenant (HOOK-33)', () => {
    expect(CHALLENGE_LIMITS).toEqual({ endpoint: 3, host: 6, tenant: 30 });
  });

  it('counts a host by its name alone', () => {
    expect(hostOf('https://Shop.Example.:8443/other')).toBe('shop.example');
  });
});

describe('events', () => {
  it.each(['pending_verification', 'verification_failed'] as const)(
    'are kept from a URL that is %s',
    (state) => {
      const row = { ...plain, verification: state };
      expect(isUnverified(row)).toBe(true);
      expect(() => assertOpen(row)).toThrow(expect.objectContaining({ code: 'ILLEGAL_TRANSITION' }));
    },
  );

  it('go to every other', () => {
    for (const row of [
      plain,
      withoutVerification(pending, NOW),
      { ...plain, verification: 'verified' as const },
    ])
      expect(() => assertOpen(row)).not.toThrow();
  });
});
