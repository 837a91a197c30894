import type { IncomingMessage } from 'node:http';
import { refuse, type OwnPage } from '../edge/edge.ts';
import { HOME_STYLE } from './home.style.ts';
import { cspHash, escapeHtml } from '@fundrail/service-kit/http';
import { sendHtml } from './html.ts';

/** Where the fresh payment's `payment_postback_url` leads: it stands for the client's app. */
export const POSTED_BACK = '/checkout/done';

// The five fields of a postback are far shorter.
const LONGEST_FORM_BYTES = 16_384;

/** Shows what the checkout page posted, as the client's app would get it (contract §3 "Postback"). Sandbox only. */
export const postedBack: OwnPage = Object.assign(
  ((request, response) => {
    formOf(request).then(
      (fields) => sendHtml(response, page(fields), `style-src ${cspHash(HOME_STYLE)}; img-src data:`),
      () => refuse(request, response, 'PAYLOAD_TOO_LARGE'),
    );
  }) satisfies OwnPage,
  { takesPosts: true } as const,
);

async function formOf(request: IncomingMessage): Promise<[string, string][]> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > LONGEST_FORM_BYTES) throw new Error('the form is too long');
  }
  return [...new URLSearchParams(text)];
}

function page(fields: readonly [string, string][]): string {
  const rows = fields.map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(value) || '&nbsp;'}</code></dd>`,
  );
  const told = rows.length > 0 ? `<dl>${rows.join('')}</dl>` : '<p>Nothing was posted here.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Back in the buyer app · fundrail</title>
<link rel="icon" href="data:,">
<style>${HOME_STYLE}</style>
</head>
<body>
<main>
<h1>Back in the buyer app</h1>
<p class="lead">This page stands for your app's <code>payment_postback_url</code>. The investor's browser posted this to it; check the signature, then ask <code>GET /api/pg/payments/:id</code>.</p>
${told}
<p><a href="/">Start page</a></p>
</main>
</body>
</html>
`;
}
