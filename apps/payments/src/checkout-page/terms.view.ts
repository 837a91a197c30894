import type { MandateFacts } from '@fundrail/contracts';
import { all, html, type Html } from '@fundrail/service-kit/http';
import type { Drawing } from './checkout.ts';

const HOUR_MS = 3_600_000;
/** Razorpay registers an Autopay mandate with a payment of one rupee, the least that UPI knows. */
const TAKES_A_RUPEE = 'SDKVENDOR';

/** What the investor allows: the limit, the days, and by which rules debits are made (contract §4). */
export function terms(drawing: Drawing, mandate: MandateFacts): Html {
  const { say, amount } = drawing;
  const lines: readonly (readonly [string, string])[] = [
    [say('most_per_debit'), amount],
    [say('first_day'), dateOf(mandate.valid_from)],
    [say('last_day'), dateOf(mandate.valid_to)],
  ];
  return html`<h2 class="news">${say('orders')}</h2>
    <dl>
      ${all(
        lines.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        ),
      )}
    </dl>
    ${rules(drawing, mandate)}`;
}

function rules({ say, rules, operator }: Drawing, { mandate_type, provider_name }: MandateFacts): Html {
  const isUpi = mandate_type === 'UPI';
  const rule = isUpi
    ? say('rules_upi', { hours: Math.floor(rules.noticeMs / HOUR_MS), times: rules.mostAttempts })
    : say('rules_bank', { time: rules.emandateFrom, days: rules.emandateRetryDays });
  return html`<p>${rule}</p>
    <p class="soft">${say(isUpi ? 'end_upi' : 'end_bank', { operator })}</p>
    <p class="soft">
      ${isUpi && provider_name === TAKES_A_RUPEE ? say('one_rupee') : say('nothing_today')}
    </p>`;
}

/** `2026-12-21` as it is written in India: 21-12-2026. */
function dateOf(date: string): string {
  return date.split('-').reverse().join('-');
}
