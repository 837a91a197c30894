import { isValidatedHandle } from '@fundrail/policies';
import { all, html, Html, nothing } from '@fundrail/service-kit/http';
import type { Way } from './attempt.table.ts';
import { offersWay } from './attempt.ts';
import { BANKS } from './banks.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import type { Drawing } from './checkout.ts';
import { attemptSentences } from './outcome.view.ts';
import { appLinks } from './upi-apps.ts';
import { payeeOf } from '../upi/payee-handles.ts';

/** The ways to pay that the investor can choose. */
export function waysToPay(drawing: Drawing): Html {
  const { payment, collects, above_upi, progress } = drawing;
  // A QR code that was shown can be paid, so it stays (POL-2).
  const hasQr = progress.kind === 'choosing' && progress.uri !== null;
  const offered = (way: Way, draw: (drawing: Drawing) => Html) =>
    offersWay(payment, way) ? draw(drawing) : nothing;
  const collect = collects ? offered('collect', byUpiId) : nothing;
  const reason = hasQr ? nothing : html`<p class="soft">${above_upi ?? ''}</p>`;
  const limit = above_upi === null ? collect : reason;
  const upi = html`${above_upi === null || hasQr ? offered('intent', byUpi) : nothing}${limit}`;
  // A payment by UPI alone is above the limit when that was lowered since: without net banking it could not be paid (FLOW-15).
  const netbanking = above_upi === null ? offered('netbanking', byNetbanking) : byNetbanking(drawing);
  return html`${refusal(drawing)}${upi}${netbanking}`;
}

/** The hidden fields of each form of the page. */
export function hiddenFields({ token, language }: Drawing): Html {
  return html`<input type="hidden" name="txnId" value="${token}" /><input
      type="hidden"
      name="lang"
      value="${language}"
    />`;
}

/** Why the last attempt failed. An invalid UPI ID is shown at its field instead. */
function refusal({ payment, progress, problem, language }: Drawing): Html {
  if (progress.kind !== 'choosing' || progress.refused === null || problem) return nothing;
  return html`<p class="error" tabindex="-1" autofocus role="alert">
    ${attemptSentences(progress.refused, payment.payment_type, language)}
  </p>`;
}

function byUpi(drawing: Drawing): Html {
  const { say, progress, qr } = drawing;
  const uri = progress.kind === 'choosing' ? progress.uri : null;
  return html`<section class="card" aria-labelledby="upi">
    <h2 id="upi">${say('upi')}</h2>
    ${uri === null || qr === null ? withoutQr(drawing) : html`${payee(drawing, uri)}${apps(drawing, uri)}${qrCode(drawing, qr)}`}
  </section>`;
}

/** A UPI app marks a validated handle, so the investor can compare it (FLOW-16). */
function payee({ say }: Drawing, uri: string): Html {
  const pa = payeeOf(uri);
  return isValidatedHandle(pa) ? html`<p class="soft">${say('validated_payee', { pa })}</p>` : nothing;
}

function apps({ say }: Drawing, uri: string): Html {
  const links = appLinks(uri).map(
    ({ name, href }, index) =>
      html`<li>
        <a class="button${index === 0 ? ' main' : ''}" href="${href}" data-app
          >${name ?? say('any_upi_app')}</a
        >
      </li>`,
  );
  return html`<div class="on-phone">
    <h3 class="soft">${say('upi_apps')}</h3>
    <ul class="apps">
      ${all(links)}
    </ul>
  </div>`;
}

function qrCode(drawing: Drawing, qr: string): Html {
  const { say, operator, amount } = drawing;
  return html`<details class="fold" data-fold open>
      <summary>${say('show_qr')}</summary>
      <figure class="qr">
        <div role="img" aria-label="${say('qr_of', { amount, operator })}">${new Html(qr)}</div>
        <figcaption>${say('scan')}<strong>${operator}</strong>${amount}</figcaption>
      </figure>
    </details>
    <button type="button" class="with-script" data-paid>${say('i_have_paid')}</button>
    ${checkNow(drawing)}`;
}

function withoutQr(drawing: Drawing): Html {
  return html`<p class="soft">${drawing.say('qr_missing')}</p>
    <form method="post" action="${CHECKOUT_PATH}">
      ${hiddenFields(drawing)}
      <button class="main" name="action" value="intent">${drawing.say('show_qr')}</button>
    </form>`;
}

/** A button to check the status, for browsers without scripts. */
export function checkNow(drawing: Drawing): Html {
  return html`<noscript
    ><form method="get" action="${CHECKOUT_PATH}">
      ${hiddenFields(drawing)}<input type="hidden" name="txnType" value="payment" /><button>
        ${drawing.say('check_now')}
      </button>
    </form></noscript
  >`;
}

/** The attributes that connect a field with its hint and its error, if any. */
function described(
  field: string,
  drawing: Drawing,
  form: 'collect' | 'netbanking',
): { attributes: Html; error: Html } {
  const { problem, say } = drawing;
  if (problem?.form !== form) return { attributes: html`aria-describedby="${field}-hint"`, error: nothing };
  return {
    attributes: html`aria-invalid="true" aria-describedby="${field}-error ${field}-hint" autofocus`,
    error: html`<p class="error" id="${field}-error" role="alert">${say(problem.key)}</p>`,
  };
}

function byUpiId(drawing: Drawing): Html {
  const { say, amount, problem } = drawing;
  const { attributes, error } = described('vpa', drawing, 'collect');
  const given = problem?.form === 'collect' ? (problem.given ?? '') : '';
  return html`<section class="card" aria-labelledby="collect">
    <h2 id="collect">${say('collect')}</h2>
    <form method="post" action="${CHECKOUT_PATH}" novalidate>
      ${hiddenFields(drawing)}
      <label for="vpa">${say('upi_id')}</label>
      <input
        id="vpa"
        name="vpa"
        value="${given}"
        inputmode="email"
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
        maxlength="255"
        required
        ${attributes}
      />
      ${error}
      <p class="soft" id="vpa-hint">${say('upi_id_hint', { amount })}</p>
      <button name="action" value="collect">${say('send_request')}</button>
    </form>
  </section>`;
}

function byNetbanking(drawing: Drawing): Html {
  const { say, account, problem } = drawing;
  const { attributes, error } = described('bank', drawing, 'netbanking');
  const chosen = problem?.form === 'netbanking' ? problem.given : account?.code;
  const options = BANKS.map(
    ([code, name]) =>
      html`<option value="${code}" ${code === chosen ? html`selected` : nothing}>${name}</option>`,
  );
  return html`<section class="card" aria-labelledby="netbanking">
    <h2 id="netbanking">${say('netbanking')}</h2>
    <form method="post" action="${CHECKOUT_PATH}" novalidate>
      ${hiddenFields(drawing)}
      <label for="bank">${say('bank')}</label>
      <select id="bank" name="bank" required ${attributes}>
        <option value="">${say('choose_bank')}</option>
        ${all(options)}
      </select>
      ${error}
      <p class="soft" id="bank-hint">${say('bank_hint')}</p>
      <button name="action" value="netbanking">${say('go_to_bank')}</button>
    </form>
  </section>`;
}
