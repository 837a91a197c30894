/** The reader of the OpenAPI document as files. The standalone serves them, and the edge's image contains them. */

/** What the page takes from `swagger-ui-dist`. */
export const READER_ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

export const READER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fundrail API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reader"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** In the sandbox the ids of examples become those of the seeded objects, so that a first request can be sent as it stands (OPS-11). */
export const READER_START = `Promise.all([
  fetch('/openapi.json').then((answer) => answer.text()),
  fetch('/sandbox/seed').then((answer) => (answer.ok ? answer.json() : {})),
]).then(([text, seed]) => {
  const seeded = { invp: seed.investor_profile, bac: seed.bank_account, mfia: seed.mf_investment_account };
  const spec = JSON.parse(text, (key, value) => {
    if (typeof value === 'string')
      return value.replace(/^(invp|bac|mfia)_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b$/, (id, kind) => seeded[kind] ?? id);
    return key === 'bank_account_id' && typeof value === 'number' ? (seed.bank_account_id ?? value) : value;
  });
  SwaggerUIBundle({ spec, dom_id: '#reader', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });
});
`;

/** What the page may load: the reader shows icons from data URLs, and connects only to the product. */
export const READER_POLICY =
  "script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'";
