/** The reader of the OpenAPI document as files. The standalone serves them, and the edge's image contains them. */

/** What the page takes from `swagger-ui-dist`. */
export const READER_ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** The bar at the top of the reader and of every guide: the way between them, and the search (`search.js`). `more` stands at its end. */
export const documentsBar = (more = ''): string => `<header class="bar">
<a class="brand" href="/docs/guides">fundrail guides</a>
<nav aria-label="Documents"><a href="/docs">API reference</a> <a href="/docs/guides/changelog">Changelog</a></nav>
${more}<form role="search" id="search-form"><label for="search">Search</label><input id="search" type="search" autocomplete="off"></form>
<div id="found" role="status"></div>
</header>`;

// Hidden until the product has answered that it is a sandbox.
const SIGN_IN = `<button type="button" id="sign-in" hidden>Sign in with the sandbox client</button>
<button type="button" id="sign-in-operator" hidden>Sign in as the operator</button>
<span id="signed-in" role="status"></span>
`;

export const READER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fundrail API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/guides/guides.css">
</head>
<body>
${documentsBar(SIGN_IN)}
<div id="reader"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
<script src="/docs/guides/search.js"></script>
</body>
</html>
`;

/**
 * Starts the reader. In a sandbox the ids of examples become those of the seeded objects, so that a first request can be sent as it
 * stands (OPS-11), and one click signs in with the seeded client: its secret comes from `GET /sandbox/seed`, which exists only there
 * (SAND-1), so that no page contains one. Another click signs in as the operator. The token stays in the page's memory (SAND-20).
 */
export const READER_START = `const buttons = { client: document.getElementById('sign-in'), admin: document.getElementById('sign-in-operator') };
const state = document.getElementById('signed-in');

async function start() {
  const [text, seed] = await Promise.all([
    fetch('/openapi.json').then((answer) => answer.text()),
    fetch('/sandbox/seed').then((answer) => (answer.ok ? answer.json() : null)),
  ]);
  const spec = seed ? withSeededIds(text, seed) : JSON.parse(text);
  const reader = SwaggerUIBundle({
    spec, dom_id: '#reader', deepLinking: true, validatorUrl: null, tryItOutEnabled: true,
    syntaxHighlight: { theme: 'monokai' }, plugins: [plainTitles],
  });
  if (!seed) return;
  for (const [who, button] of Object.entries(buttons)) {
    button.addEventListener('click', () => void signIn(reader, seed.tenant, seed[who]));
    button.hidden = false;
  }
}

function withSeededIds(text, seed) {
  const seeded = { invp: seed.investor_profile, bac: seed.bank_account, mfia: seed.mf_investment_account };
  return JSON.parse(text, (key, value) => {
    if (value === 'the-secret-of-the-client') return seed.client.client_secret;
    if (typeof value === 'string')
      return value.replace(/^(invp|bac|mfia)_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b$/, (id, kind) => seeded[kind] ?? id);
    return key === 'bank_account_id' && typeof value === 'number' ? (seed.bank_account_id ?? value) : value;
  });
}

async function signIn(reader, tenant, { client_id, client_secret }) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await fetch('/v2/auth/' + encodeURIComponent(tenant) + '/token', { method: 'POST', body });
  const { access_token, expires_in } = await answer.json();
  if (answer.ok) reader.preauthorizeApiKey('access_token', access_token);
  state.textContent = answer.ok
    ? 'Signed in as ' + client_id + ' for ' + Math.floor(expires_in / 60) + ' minutes'
    : 'The sign-in failed: ' + answer.status;
}

// A title is inside the button that opens its operation, and a link inside a button is out of reach of screen readers.
const plainTitles = ({ React }) => ({ components: { DeepLink: ({ text }) => React.createElement('span', null, text) } });

// What Swagger UI leaves without a name, or at a level that skips one.
const PARTS = [
  ['.information-container', 'region', 'About'],
  ['.schemes-server-container', 'region', 'Server and authorization'],
  ['.modal-ux', 'dialog', 'Authorization'],
];

function nameParts() {
  for (const [part, role, label] of PARTS)
    for (const found of page.querySelectorAll(part)) {
      found.setAttribute('role', role);
      found.setAttribute('aria-label', label);
    }
  for (const heading of page.querySelectorAll('h3, h4, h5'))
    heading.setAttribute('aria-level', String(Number(heading.tagName[1]) - 1));
  for (const select of page.querySelectorAll('select:not([aria-label])'))
    select.setAttribute('aria-label', select.closest('[data-param-name]')?.dataset.paramName ?? 'Server');
  for (const close of page.querySelectorAll('.close-modal')) close.setAttribute('aria-label', 'Close');
  for (const apply of page.querySelectorAll('.modal-btn[aria-label]')) apply.removeAttribute('aria-label');
  for (const code of page.querySelectorAll('pre.microlight')) code.tabIndex = 0;
}

const page = document.getElementById('reader');
new MutationObserver(nameParts).observe(page, { childList: true, subtree: true });
void start();
`;

/** What the page may load: the reader shows icons from data URLs, and connects only to the product. */
export const READER_POLICY =
  "script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'";
