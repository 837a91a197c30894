import type { ApiError } from '@fundrail/contracts';
import { html, type Page } from '@fundrail/service-kit/http';
import { DASHBOARD } from './addresses.ts';
import { makePage } from './page.ts';

interface ErrorText {
  readonly title: string;
  /** Default: the error's own message. */
  readonly detail?: string;
}

const LATER: ErrorText = { title: 'Try again in a moment', detail: 'This page is temporarily unavailable.' };
const TEXTS: Readonly<Record<number, ErrorText>> = {
  400: {
    title: 'Bad request',
    detail: 'The URL or the form contains an invalid value.',
  },
  403: { title: 'Forbidden' },
  404: {
    title: 'Not found',
    detail: 'This endpoint or delivery does not exist, or it belongs to another tenant.',
  },
  409: { title: 'Not possible now' },
  503: LATER,
};
const INTERNAL: ErrorText = { title: 'Something went wrong', detail: 'The error is on our side. Try again.' };

function tooMany({ retryAfter = 1 }: ApiError): ErrorText {
  const wait = retryAfter === 1 ? 'a second' : `${retryAfter} seconds`;
  return { title: 'Too many requests', detail: `Try again in ${wait}.` };
}

/** The page for an error, in place of the requested page. */
export function errorPage(refusal: ApiError, tenant: string | null): Page {
  const { title, detail = refusal.message } =
    refusal.status === 429 ? tooMany(refusal) : (TEXTS[refusal.status] ?? INTERNAL);
  const body = html`<section class="card notice">
    <h1>${title}</h1>
    <p>${detail}</p>
    <a class="button" href="${DASHBOARD}">Back to endpoints</a>
  </section>`;
  return makePage({ status: refusal.status, title, body, tenant });
}
