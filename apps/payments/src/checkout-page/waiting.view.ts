import { html, nothing, type Html } from '@fundrail/service-kit/http';
import { bankName } from './banks.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import type { Drawing } from './checkout.ts';
import { checkNow, hiddenFields } from './ways.view.ts';

/** Something runs in the UPI app or at the bank: the other ways are locked until it ends or is laid aside. */
export function waiting(drawing: Drawing): Html {
  const { heading, sentence, link } = words(drawing);
  return html`<section class="card waiting stack" aria-labelledby="waiting">
    <h2 id="waiting">${heading}</h2>
    <p role="status">${sentence}</p>
    ${link}
    <p class="soft with-script">${drawing.say('waiting_status_says')}</p>
    ${checkNow(drawing)} ${otherWay(drawing)}
  </section>`;
}

function words({ say, progress, payment, operator, goes, amount }: Drawing): {
  heading: string;
  sentence: string;
  link: Html;
} {
  if (payment.ending !== null || progress.kind === 'choosing')
    return { heading: say('waiting_status'), sentence: say('pending_says'), link: nothing };
  if (progress.kind === 'collect')
    return {
      heading: say('waiting_collect'),
      sentence: say('waiting_collect_says', { amount, vpa: progress.vpa, operator }),
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
    sentence: say('waiting_bank_says', { amount, operator, bank }),
    link,
  };
}

function otherWay(drawing: Drawing): Html {
  if (drawing.payment.ending !== null || drawing.progress.kind === 'choosing') return nothing;
  return html`<form method="post" action="${CHECKOUT_PATH}">
    ${hiddenFields(drawing)}
    <button name="action" value="choose">${drawing.say('other_way')}</button>
  </form>`;
}
