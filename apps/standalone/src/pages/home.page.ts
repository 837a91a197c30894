import type { ServerResponse } from 'node:http';
import { firstCalls, type FirstCall, type Newcomer } from './first-calls.ts';
import { HOME_STYLE } from './home.style.ts';
import { cspHash, escapeHtml } from '@fundrail/service-kit/http';
import { sendHtml } from './html.ts';

/** The seeded objects of the sandbox, by name, as the page lists them. */
type SeededIds = Readonly<Record<string, string>>;

export interface HomePage {
  /** Null outside the sandbox, where nothing is seeded. */
  readonly sandbox: { readonly newcomer: Newcomer; readonly seeded: SeededIds } | null;
}

// Copies the lines beside the button. Without a clipboard (plain http to another machine) it selects them instead.
const SCRIPT = `
for (const button of document.querySelectorAll('button')) button.addEventListener('click', async () => {
  const lines = button.closest('li').querySelector('pre');
  try { await navigator.clipboard.writeText(lines.textContent); button.textContent = 'Copied'; }
  catch { getSelection().selectAllChildren(lines); button.textContent = 'Marked'; }
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
});
`;

/** Sends the start page: an introduction, the seeded ids, and five calls to paste (SAND-16). */
export function sendHomePage(response: ServerResponse, page: HomePage): void {
  const policy = `style-src ${cspHash(HOME_STYLE)}; script-src ${cspHash(SCRIPT)}; img-src data:`;
  sendHtml(response, homePage(page), policy);
}

function homePage({ sandbox }: HomePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fundrail</title>
<link rel="icon" href="data:,">
<style>${HOME_STYLE}</style>
</head>
<body>
<main>
<h1>fundrail</h1>
<p class="lead">Payments for mutual-fund orders in India: an app places purchase orders for its investors, lets them pay by UPI, and receives a webhook for every step.${sandbox ? ' This is the sandbox: the order gateway, the bank and the UPI app are simulated, and no real money moves.' : ''}</p>
<nav>
<a href="/docs/guides">Guides</a>
<a href="/docs">API reference</a>
<a href="/webhooks">Webhooks</a>
<a href="/openapi.json">openapi.json</a>
<a href="/asyncapi.json">asyncapi.json</a>
<a href="/health/ready">Health</a>
</nav>
${sandbox ? sandboxPart(sandbox.newcomer, sandbox.seeded) : ''}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function sandboxPart(newcomer: Newcomer, seeded: SeededIds): string {
  return `<h2>Ready for you</h2>
<dl>${Object.entries(seeded).map(seededRow).join('')}</dl>
<h2>Your first five calls</h2>
<p class="lead">Paste them into a terminal, one after the other. They need <code>curl</code> and <code>sed</code>.</p>
<ol>${firstCalls(newcomer).map(callItem).join('')}</ol>
<p>Then open the investor's UPI app at <code>${escapeHtml(newcomer.baseUrl)}/sandbox/upi/</code> followed by the payment's number, and approve.
The purchase is <code>successful</code> a moment later: <code>curl -s ${escapeHtml(newcomer.baseUrl)}/v2/mf_purchases/$ID -H "Authorization: Bearer $TOKEN"</code></p>
<h2>Or let the investor choose</h2>
<p class="lead">A payment that is created without <code>upi</code> returns a <code>token_url</code>: a hosted page with a QR code, UPI apps, UPI ID and net banking, in English and Hindi.
<a href="/sandbox/checkout">Open the checkout page of a fresh payment</a> of ₹5,000; the bank at its end is simulated.</p>
<footer>The whole flow with its webhooks: <code>npm run demo</code></footer>`;
}

function seededRow([name, value]: [string, string]): string {
  return `<dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(value)}</code></dd>`;
}

function callItem(call: FirstCall, index: number): string {
  return `<li><header><span class="number">${index + 1}</span><div><h3>${escapeHtml(call.title)}</h3><p>${escapeHtml(call.summary)}</p></div><button type="button">Copy</button></header><pre tabindex="0">${escapeHtml(call.shell)}</pre></li>`;
}
