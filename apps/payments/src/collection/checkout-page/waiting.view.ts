import { html, nothing, type Html } from '@fundrail/service-kit/http';
import { bankName } from './banks.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import type { Drawing } from './checkout.ts';
import { checkNow, hiddenFields } from './ways.view.ts';

/** An attempt runs in the UPI app or at the bank: the other ways are locked until it ends or the investor chooses another one. */
export function waiting(drawing: Drawing): Html {
  const { heading, sentence, link } = words(drawing);
  return html`<section class="card waiting stack" aria-labelledby="waiting">
    <h2 id="waiting" tabindex="-1" autofocus>${heading}</h2>
    <p role="status">${sentence}</p>
    <p><strong>${drawing.say('do_not_repeat')}</strong></p>
    ${link}
    <p class="soft with-script">${drawing.say('waiting_status_text')}</p>
    ${checkNow(drawing)} ${otherWay(drawing)}
  </section>`;
}

/** The same after an app was opened or the QR code was used. Only the browser knows that: hidden until the page's script shows it. */
export function waitingForApp({ say, progress, ending }: Drawing): Html {
  if (progress.kind !== 'choosing' || progress.uri === null || ending !== null) return nothing;
  return html`<section class="card waiting stack" aria-labelledby="waiting-app" data-wait hidden>
    <span class="turning" aria-hidden="true"></span>
    <h2 id="waiting-app" tabindex="-1">${say('waiting_app')}</h2>
    <p role="status"><strong>${say('do_not_repeat')}</strong></p>
    <p class="soft">${say('waiting_status_text')}</p>
    <button type="button" data-choose>${say('not_paid')}</button>
  </section>`;
}

function words({ say, progress, ending, operator, goes, amount }: Drawing): {
  heading: string;
  sentence: string;
  link: Html;
} {
  if (ending !== null || progress.kind === 'choosing')
    return { heading: say('waiting_status'), sentence: say('pending_text'), link: nothing };
  if (progress.kind === 'collect')
    return {
      heading: say('waiting_collect'),
      sentence: say('waiting_collect_text', { amount, vpa: progress.vpa, operator }),
      link: nothing,
    };
  const bank = bankName(progress.bank) ?? progress.bank;
  const link = progress.address
    ? html`<a
        class="button main"
        href="${progress.address}"
        rel="noreferrer"
        ${goes ? html`data-auto` : nothing}
        >${say('continue_to_bank', { bank })}</a
      >`
    : nothing;
  return {
    heading: say('waiting_bank'),
    sentence: say('waiting_bank_text', { amount, operator, bank }),
    link,
  };
}

function otherWay(drawing: Drawing): Html {
  if (drawing.ending !== null || drawing.progress.kind === 'choosing') return nothing;
  return html`<form method="post" action="${CHECKOUT_PATH}">
    ${hiddenFields(drawing)}
    <button name="action" value="choose">${drawing.say('other_way')}</button>
  </form>`;
}
