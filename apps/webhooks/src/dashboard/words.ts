import { all, html, type Html } from '@fundrail/service-kit/http';
import type { AttemptRow } from '../delivery/attempt.table.ts';
import type { DeliveryRow } from '../delivery/delivery.table.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';

/** A state: a word with its colour, and optionally a sentence of detail. */
export interface Standing {
  readonly kind: 'good' | 'warn' | 'bad' | 'idle';
  readonly word: string;
  readonly detail: Html | null;
}

export function standingOfEndpoint(endpoint: NotificationWebhookRow, now: Date): Standing {
  const { status, disabled_at, disabled_reason, paused_until, failing_since } = endpoint;
  if (status === 'disabled') {
    const since = disabled_at ? html`Since ${moment(disabled_at)}: ` : html``;
    return {
      kind: 'idle',
      word: 'Disabled',
      detail: html`${since}${disabled_reason ?? 'no reason recorded'}`,
    };
  }
  const unverified = standingOfUnverified(endpoint);
  if (unverified) return unverified;
  const failing =
    failing_since &&
    html`All attempts have failed since ${moment(failing_since)}. The endpoint is disabled after 5 days of
    failures.`;
  if (paused_until && paused_until > now) {
    const asked = html`Deliveries are paused until ${moment(paused_until)}, as the endpoint requested
    (Retry-After).`;
    return { kind: 'warn', word: 'Paused', detail: failing ? html`${asked} ${failing}` : asked };
  }
  if (failing) return { kind: 'bad', word: 'Failing', detail: failing };
  return { kind: 'good', word: 'Enabled', detail: null };
}

/** The state of an endpoint that is not verified; null for any other. */
function standingOfUnverified(endpoint: NotificationWebhookRow): Standing | null {
  const { verification, verification_error: error, challenge_due_at } = endpoint;
  const last = error === null ? html`` : html` Last result: ${error}.`;
  if (verification === 'verification_failed') {
    const detail = html`The endpoint did not answer the challenge, so it receives no events.${last}`;
    return { kind: 'bad', word: 'Verification failed', detail };
  }
  if (verification !== 'pending_verification') return null;
  const next =
    error !== null && challenge_due_at
      ? html` The next challenge is sent at ${moment(challenge_due_at)}.`
      : html``;
  const detail = html`The endpoint receives events once it has answered a challenge.${last}${next}`;
  return { kind: 'warn', word: 'Not verified', detail };
}

// A delivery that has been due for longer waits for a slot of its endpoint, and the time of its attempt is unknown.
const ABOUT_TO_BE_SENT_MS = { before: 2_000, after: 20_000 };

/** Whether an attempt is sent about now, so that a reload is useful. */
export function isAboutToBeSent({ status, due_at }: DeliveryRow, now: Date): boolean {
  if (status !== 'pending' || due_at === null) return false;
  const overdue = now.getTime() - due_at.getTime();
  return overdue > -ABOUT_TO_BE_SENT_MS.before && overdue < ABOUT_TO_BE_SENT_MS.after;
}

export function standingOfDelivery(delivery: DeliveryRow, now: Date): Standing {
  const { status, due_at } = delivery;
  if (status === 'delivered') return { kind: 'good', word: 'Delivered', detail: null };
  if (status === 'failed') return { kind: 'bad', word: 'Failed', detail: givenUp(delivery) };
  const detail =
    due_at === null
      ? html`Waiting for an earlier event of the same object.`
      : due_at <= now
        ? html`Due now.`
        : html`Next attempt at ${moment(due_at)}, in ${span(due_at.getTime() - now.getTime())}.`;
  return { kind: 'warn', word: 'Pending', detail };
}

const GIVEN_UP = {
  attempts_exhausted: 'Not delivered after ten attempts.',
  endpoint_gone: 'Not delivered because the endpoint responded with 410 Gone.',
  endpoint_disabled: 'Not delivered because the endpoint was disabled.',
  endpoint_deleted: 'Not delivered because the endpoint was deleted.',
  replay_cancelled: 'Not delivered because its replay was cancelled.',
  endpoint_unverified: 'Not delivered because the endpoint did not answer the challenge.',
} as const;

function givenUp({ failure_code }: DeliveryRow): Html {
  return html`${failure_code === null ? 'Not delivered.' : GIVEN_UP[failure_code]}`;
}

/** The text for a delivery without stored attempts. Attempts are deleted before their deliveries. */
export function withoutAttempts({ status, due_at, tries }: DeliveryRow): string {
  if (status === 'pending') return due_at === null ? 'Waiting for an earlier event' : 'Not sent yet';
  return status === 'failed' && tries === 0 ? 'Never sent' : 'Attempts no longer available';
}

export function badge({ kind, word }: Pick<Standing, 'kind' | 'word'>): Html {
  return html`<span class="state ${kind}">${word}</span>`;
}

/** A URL that wraps before its slashes. */
export function breakable(url: string): Html {
  return all(url.split(/(?<=\w)(?=[/?&])/).map((part) => html`${part}<wbr />`));
}

/** `500, 34 ms`, or why there was no response. */
export function outcomeOf({ status, error, duration_ms }: AttemptRow): string {
  const answered = status === null ? (error ?? 'no response') : String(status);
  return `${answered}, ${inWords(duration_ms)}`;
}

/** `34 ms` or `1.2 s`. */
export function inWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Kolkata',
  dateStyle: 'medium',
  timeStyle: 'medium',
});

/** `21 Nov 2026, 10:00:05` in India. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${FORMAT.format(at)}</time>`;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `4 min 30 s`: the two largest units. */
export function span(ms: number): string {
  let left = Math.max(ms, 1_000);
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(' ');
}
