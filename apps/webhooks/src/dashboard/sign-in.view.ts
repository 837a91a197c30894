import { html, nothing, type Html, type Page } from '@fundrail/service-kit/http';
import { SESSION } from './addresses.ts';
import type { Refused } from './dashboard-session.ts';
import { makePage } from './page.ts';

/** `to` is the page to show afterwards. Typed values are shown again, except secrets. */
export interface SigningIn {
  readonly to: string;
  readonly refused?: Refused;
  readonly tenant?: string;
  readonly client_id?: string;
  /** The browser followed a link on another site, so it did not send the cookie. */
  readonly fromElsewhere?: boolean;
  /** An OpenID provider issues the tokens, so credentials cannot be exchanged here. */
  readonly otherIssuer?: string | null;
}

const REFUSED: Readonly<Record<Refused, string>> = {
  unknown_client: 'The tenant, client ID or client secret is incorrect.',
  bad_token: 'The access token is invalid or has expired.',
  token_too_long: 'The access token is too long for a cookie.',
  operator: 'A token with the scope admin is not accepted here. Use one of a client without it.',
  other_issuer: 'Credentials are not accepted here. Paste an access token.',
};

export function signInPage(signing: SigningIn): Page {
  const { to, refused, fromElsewhere = false, otherIssuer = null } = signing;
  const body = html`<section class="card narrow">
    <h1>Sign in</h1>
    <p class="soft">
      ${otherIssuer === null ? "Use your server's API credentials" : 'Use an access token of your server'} to
      see your webhook endpoints and deliveries.
    </p>
    ${fromElsewhere ? html`<p><a href="${to}">Continue, if you are already signed in</a></p>` : nothing}
    ${refused === undefined ? nothing : html`<p class="error" role="alert">${REFUSED[refused]}</p>`}
    ${otherIssuer === null ? withEither(signing) : withTokenOf(otherIssuer, to)}
  </section>`;
  return makePage({ status: refused === undefined ? 200 : 401, title: 'Sign in', body, tenant: null });
}

function withEither(signing: SigningIn): Html {
  const { to, refused } = signing;
  return html`${withCredentials(signing)}
    <details ${refused === 'bad_token' || refused === 'token_too_long' ? html`open` : nothing}>
      <summary>Use an access token instead</summary>
      ${withToken(to)}
    </details>`;
}

function withTokenOf(issuer: string, to: string): Html {
  return html`<p>
      Access tokens are issued by <b>${issuer}</b>. Request one with your client credentials, as your server
      does, and paste it here.
    </p>
    ${withToken(to)}`;
}

function withCredentials({ to, tenant = '', client_id = '' }: SigningIn): Html {
  return html`<form method="post" action="${SESSION}">
    <input type="hidden" name="to" value="${to}" />
    <label for="tenant">Tenant</label>
    <input id="tenant" name="tenant" value="${tenant}" autocomplete="organization" required />
    <label for="client_id">Client ID</label>
    <input id="client_id" name="client_id" value="${client_id}" autocomplete="username" required />
    <label for="client_secret">Client secret</label>
    <input id="client_secret" name="client_secret" type="password" autocomplete="current-password" required />
    <button class="main">Sign in</button>
  </form>`;
}

function withToken(to: string): Html {
  return html`<form method="post" action="${SESSION}/token">
    <input type="hidden" name="to" value="${to}" />
    <label for="access_token">Access token</label>
    <input id="access_token" name="access_token" type="password" autocomplete="off" required />
    <button>Sign in with token</button>
  </form>`;
}
