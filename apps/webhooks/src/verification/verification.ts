import { ApiError, istTimestamp, stringifyJson } from '@fundrail/contracts';
import { isSuccess, assertEnabled, type AttemptAnswer } from '../delivery/delivery.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { toNotificationWebhook } from '../notification-webhook/notification-webhook.ts';

/** 256 bits, which cannot be guessed. */
export const CHALLENGE_BYTES = 32;

/** Business time between a failed challenge and the next one: five challenges in 43 minutes. */
const PAUSES_MS = [30_000, 120_000, 600_000, 1_800_000];

/** Wall time over which challenges are counted. */
export const CHALLENGE_WINDOW_MS = 60_000;

/**
 * The maximum number of challenges within that time. A host is counted for each tenant. The tenant's limit bounds what one address
 * receives under many names, because the owner of a domain can create any number of names.
 */
export const CHALLENGE_LIMITS = { endpoint: 3, host: 6, tenant: 30 } as const;

/** A sent challenge. `at` is wall time. */
export interface SentChallenge {
  readonly webhook: string;
  readonly host: string;
  readonly at: Date;
}

type Verification = Pick<NotificationWebhookRow, 'verification'>;

const UNVERIFIED: readonly NotificationWebhookRow['verification'][] = [
  'pending_verification',
  'verification_failed',
];

/** Whether the endpoint still has to answer a challenge. It gets no events until then. */
export function isUnverified({ verification }: Verification): boolean {
  return UNVERIFIED.includes(verification);
}

/** Throws `ApiError` ILLEGAL_TRANSITION unless the endpoint is enabled and has no verification outstanding. */
export function assertOpen(webhook: Verification & Pick<NotificationWebhookRow, 'status'>): void {
  assertEnabled(webhook);
  if (!isUnverified(webhook)) return;
  const message = `The endpoint is ${webhook.verification}. It receives events once it has answered a challenge.`;
  throw new ApiError('ILLEGAL_TRANSITION', message);
}

/** The host by which challenges are counted. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** The challenge as it is sent and expected back. `random` is `CHALLENGE_BYTES` random bytes. */
export function challengeText(random: Buffer): string {
  return random.toString('base64url');
}

/**
 * The body that is signed and sent. It has the form of an event, so that a receiver needs only one handler. The challenge is inside
 * `data`, but is expected outside of it: a server that echoes its requests does not pass.
 */
export function challengeBody(
  row: NotificationWebhookRow,
  { id, challenge, now }: { readonly id: string; readonly challenge: string; readonly now: Date },
): string {
  return stringifyJson({
    id,
    object: 'event',
    type: 'notification_webhook.challenge',
    data: { challenge, object: toNotificationWebhook(row), previous_attributes: null },
    time: istTimestamp(now),
  });
}

/** Why the answer does not verify the endpoint, as a text for the client; null when it does. */
export function challengeFault(challenge: string, answer: AttemptAnswer): string | null {
  if (answer.status === null) return answer.error ?? 'no answer';
  if (!isSuccess(answer)) return `the challenge was answered with ${answer.status}, not with 2xx`;
  const body = (answer.response_body ?? '').trim();
  return body === challenge || challengeIn(body) === challenge ? null : 'the answer is not the challenge';
}

function challengeIn(body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    return Object(answer) === answer && Object.hasOwn(Object(answer) as object, 'challenge')
      ? (answer as { readonly challenge: unknown }).challenge
      : null;
  } catch {
    return null;
  }
}

const NO_CHALLENGE = { challenge: null, challenge_until: null, challenge_due_at: null, challenge_tries: 0 };

/** The endpoint with a URL that has to be verified. Challenges to another URL no longer count. */
export function withVerification(row: NotificationWebhookRow, now: Date): NotificationWebhookRow {
  return {
    ...row,
    ...NO_CHALLENGE,
    verification: 'pending_verification',
    verification_error: null,
    challenge_due_at: now,
    updated_at: now,
  };
}

/** The endpoint with a URL that need not be verified. */
export function withoutVerification(row: NotificationWebhookRow, now: Date): NotificationWebhookRow {
  return {
    ...row,
    ...NO_CHALLENGE,
    verification: 'not_required',
    verification_error: null,
    updated_at: now,
  };
}

/**
 * The endpoint with a new challenge, from the start of the schedule. Null when none is needed: it is verified, or a challenge is due or
 * in progress. An endpoint from before the setting receives events meanwhile.
 */
export function challengedAgain(
  row: NotificationWebhookRow,
  now: Date,
  wallNow: Date,
): NotificationWebhookRow | null {
  if (row.verification === 'verified' || isUnderWay(row, wallNow)) return null;
  if (row.challenge_due_at !== null && row.challenge_due_at <= now) return null;
  if (row.verification === 'not_required') return { ...row, ...NO_CHALLENGE, challenge_due_at: now };
  return withVerification(row, now);
}

function isUnderWay({ challenge_until }: NotificationWebhookRow, wallNow: Date): boolean {
  return challenge_until !== null && challenge_until > wallNow;
}

/** Whether a challenge may be sent to the endpoint now. */
export function isChallengeDue(row: NotificationWebhookRow, now: Date, wallNow: Date): boolean {
  const { status, challenge_due_at } = row;
  const isDue = challenge_due_at !== null && challenge_due_at <= now;
  return status === 'enabled' && isDue && !isUnderWay(row, wallNow);
}

/**
 * Wall milliseconds until a challenge to `webhook` at `host` is within the limits; 0 when it is now. `sent`: its tenant's challenges in
 * the last `CHALLENGE_WINDOW_MS`, oldest first.
 */
export function challengeWait(
  sent: readonly SentChallenge[],
  { webhook, host }: Omit<SentChallenge, 'at'>,
  wallNow: Date,
): number {
  const counted: [number, readonly SentChallenge[]][] = [
    [CHALLENGE_LIMITS.endpoint, sent.filter((one) => one.webhook === webhook)],
    [CHALLENGE_LIMITS.host, sent.filter((one) => one.host === host)],
    [CHALLENGE_LIMITS.tenant, sent],
  ];
  return Math.max(
    ...counted.map(([limit, those]) => {
      const first = those[those.length - limit];
      return first ? Math.max(0, first.at.getTime() + CHALLENGE_WINDOW_MS - wallNow.getTime()) : 0;
    }),
  );
}

/** Throws `ApiError` RATE_LIMITED when a challenge has to wait. */
export function assertNoWait(waitMs: number): void {
  if (waitMs === 0) return;
  const message = 'Too many challenges in the last minute for the endpoint, its host or the tenant.';
  throw new ApiError('RATE_LIMITED', message, [], Math.ceil(waitMs / 1000));
}

/**
 * The endpoint after the challenge `id` was answered or has failed (`fault`). Null when the result no longer counts: the endpoint was
 * disabled, has another URL or another challenge, or the answer came after `challenge_until`.
 */
export function afterChallenge(
  row: NotificationWebhookRow,
  answered: { readonly id: string; readonly fault: string | null; readonly retryAfterMs: number | null },
  { now, wallNow }: { readonly now: Date; readonly wallNow: Date },
): NotificationWebhookRow | null {
  if (row.status !== 'enabled' || row.challenge !== answered.id || !isUnderWay(row, wallNow)) return null;
  if (answered.fault === null)
    return {
      ...row,
      ...NO_CHALLENGE,
      verification: 'verified',
      verification_error: null,
      updated_at: now,
    };
  const challenge_tries = row.challenge_tries + 1;
  const pause = PAUSES_MS[challenge_tries - 1];
  const failed = { ...row, ...NO_CHALLENGE, verification_error: answered.fault };
  if (pause !== undefined) {
    const wait = Math.max(pause, answered.retryAfterMs ?? 0);
    return { ...failed, challenge_tries, challenge_due_at: new Date(now.getTime() + wait) };
  }
  // An endpoint from before the setting loses nothing by a failure.
  if (row.verification === 'not_required') return failed;
  return { ...failed, verification: 'verification_failed', updated_at: now };
}
