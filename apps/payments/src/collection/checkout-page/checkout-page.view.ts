import { inRupees } from '@fundrail/contracts';
import { all, html, nothing, policySources, type Html, type Page } from '@fundrail/service-kit/http';
import { CHECKOUT_PATH } from './checkout-token.ts';
import { pageAddress, secondsLeft, type Checkout, type Drawing } from './checkout.ts';
import { orderName } from './order-name.view.ts';
import { cutOffOf, dayAndMonthOf, timeOf } from './page-time.ts';
import { makePage } from './page.ts';
import { terms } from './terms.view.ts';
import { sayIn } from './texts.ts';
import { waiting, waitingForApp } from './waiting.view.ts';
import { hiddenFields, waysToPay } from './ways.view.ts';

/** The page of a payment that can be paid, with the HTTP status of the form just posted. */
export function checkoutPage(checkout: Checkout, status = 200): Page {
  const { mandate, payment } = checkout;
  const say = sayIn(checkout.language, payment.payment_type);
  const amount = inRupees(mandate ? mandate.mandate_limit : payment.amount);
  const drawing: Drawing = { ...checkout, say, amount };
  const chooses = checkout.progress.kind === 'choosing' && checkout.ending === null;
  return makePage({
    status,
    language: checkout.language,
    title: say('pay_amount', { amount }),
    brand: checkout.brand,
    inLanguage: (language) => pageAddress(checkout.token, language),
    postsTo: policySources(checkout.postback_url),
    body: html`<p class="strip" aria-hidden="true"><span>${say('total')}</span><strong>${amount}</strong></p>
      <div class="split" ${live(drawing)}>
        ${summary(drawing)}
        <div class="ways">
          ${problemOfPage(drawing)}${chooses ? choice(drawing) : waiting(drawing)}${cancel(drawing)}
        </div>
      </div>`,
  });
}

/** The ways to pay. The page's script shows the waiting message in their place once an app was opened. */
function choice(drawing: Drawing): Html {
  return html`<div class="ways" data-choice>${waysToPay(drawing)}</div>
    ${waitingForApp(drawing)}`;
}

/** What the page's script needs: the address of the status, the state shown, the time left. */
function live({ token, language, state, expires_at, now }: Drawing): Html {
  const status = `${CHECKOUT_PATH}/status?${new URLSearchParams({ txnId: token }).toString()}`;
  return html`data-status="${status}" data-state="${state}" data-page="${pageAddress(token, language)}"
  data-left="${secondsLeft(expires_at, now)}"`;
}

function summary(drawing: Drawing): Html {
  const { say, operator, payment, account, amount, mandate } = drawing;
  return html`<section class="card summary" aria-labelledby="title">
    <h1 id="title">${say('pay_amount', { amount })}</h1>
    <div class="facilitator">
      <p><strong>${say('facilitator', { operator })}</strong></p>
      <p class="soft">${say('operator_named')}</p>
    </div>
    ${timeLeft(drawing)} ${mandate ? terms(drawing, mandate) : orders(drawing)}
    ${
      account
        ? html`<p class="soft">${say('own_account', { bank: account.bank, ending: account.ending })}</p>`
        : nothing
    }
    <p class="soft">${say('payment')} ${payment.id}</p>
  </section>`;
}

function timeLeft({ say, expires_at, now, language }: Drawing): Html {
  const left = secondsLeft(expires_at, now);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  const time = timeOf(expires_at, language);
  return html`<p class="time">
      <span>${say('time_left')}</span>
      <strong data-clock role="timer">${clock}</strong>
      <span class="soft">${say('until', { time })}</span>
    </p>
    <p
      class="news"
      role="status"
      data-news
      data-minutes="${say('minutes_left')}"
      data-last="${say('nearly_over')}"
    ></p>`;
}

function orders(drawing: Drawing): Html {
  const { say, payment, amount } = drawing;
  const lines = payment.orders.map(
    (order) =>
      html`<div>
        <dt>${orderName(order, say)}</dt>
        <dd>${inRupees(order.amount)}</dd>
      </div>`,
  );
  return html`<h2 class="news">${say('orders')}</h2>
    <dl>
      ${all(lines)}
      <div class="total">
        <dt>${say('total')}</dt>
        <dd>${amount}</dd>
      </div>
    </dl>
    ${payBy(drawing)}`;
}

/** Until when to pay for which NAV (PAGE-16). */
function payBy({ say, pay_by, language }: Drawing): Html {
  if (!pay_by) return nothing;
  const words = {
    time: cutOffOf(pay_by.time, language),
    day: dayAndMonthOf(pay_by.nav_date, language),
  };
  return html`<p>${say('pay_by', words)}</p>`;
}

function problemOfPage({ problem, say }: Drawing): Html {
  if (problem?.form !== 'page') return nothing;
  return html`<p class="error" tabindex="-1" autofocus role="alert">${say(problem.key)}</p>`;
}

/** Asks for confirmation first, without a script. */
function cancel(drawing: Drawing): Html {
  const { say } = drawing;
  return html`<section class="card">
    <details class="cancel">
      <summary>${say('cancel')}</summary>
      <p class="soft">${say('cancel_warning')}</p>
      <form method="post" action="${CHECKOUT_PATH}">
        ${hiddenFields(drawing)}
        <button class="bad" name="action" value="cancel">${say('cancel_yes')}</button>
      </form>
    </details>
  </section>`;
}
