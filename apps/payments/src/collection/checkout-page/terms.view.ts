import type { MandateTerms } from '@fundrail/contracts';
import { all, html, type Html } from '@fundrail/service-kit/http';
import type { Drawing } from './checkout.ts';
import { clockTimeOf, dayOf } from './page-time.ts';

/** The terms that the investor authorises: the limit, the first and last day, and the rules of debits (MAN-3, MAN-4, DEB-8). */
export function terms(drawing: Drawing, mandate: MandateTerms): Html {
  const { say, amount, language } = drawing;
  const lines: readonly (readonly [string, string])[] = [
    [say('most_per_debit'), amount],
    [say('first_day'), dayOf(mandate.valid_from, language)],
    [say('last_day'), dayOf(mandate.valid_to, language)],
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

function rules(
  { say, operator, language, chargesOneRupee }: Drawing,
  { mandate_type, debits }: MandateTerms,
): Html {
  const isUpi = mandate_type === 'UPI';
  const rule = isUpi
    ? say('rules_upi', { hours: debits.notice_hours, times: debits.most_attempts })
    : say('rules_bank', {
        time: clockTimeOf(debits.emandate_from, language),
        days: debits.emandate_retry_days,
      });
  return html`<p>${rule}</p>
    <p class="soft">${say(isUpi ? 'end_upi' : 'end_bank', { operator })}</p>
    <p class="soft">${isUpi && chargesOneRupee ? say('one_rupee') : say('nothing_today')}</p>`;
}
