import type { ApiError } from '@fundrail/contracts';
import { html, type Page } from '@fundrail/service-kit/http';
import { DASHBOARD } from './addresses.ts';
import { makePage } from './page.ts';

interface Told {
  readonly title: string;
  /** Left out: the error's own sentence. */
  readonly says?: string;
}

const LATER: Told = { title: 'Try again in a moment', says: 'A part that this page needs does not answer.' };
const TOLD: Readonly<Record<number, Told>> = {
  400: {
    title: 'That is not understood',
    says: 'The address or the form has something that is unknown here.',
  },
  403: { title: 'Refused' },
  404: { title: 'Not found', says: 'There is no such endpoint or delivery of yours.' },
  409: { title: 'Not now' },
  503: LATER,
};
const DEFECT: Told = { title: 'Something went wrong', says: 'This is a defect of ours. Try again.' };

function tooMany({ retryAfter = 1 }: ApiError): Told {
  const wait = retryAfter === 1 ? 'a second' : `${retryAfter} seconds`;
  return { title: 'Too many requests', says: `Try again in ${wait}.` };
}

/** A page in place of the one that was asked for. */
export function errorPage(refusal: ApiError, tenant: string | null): Page {
  const { title, says = refusal.message } =
    refusal.status === 429 ? tooMany(refusal) : (TOLD[refusal.status] ?? DEFECT);
  const body = html`<section class="card notice">
    <h1>${title}</h1>
    <p>${says}</p>
    <a class="button" href="${DASHBOARD}">To the endpoints</a>
  </section>`;
  return makePage({ status: refusal.status, title, body, tenant });
}
