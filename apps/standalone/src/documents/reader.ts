/** The reader of the OpenAPI document as files. The standalone serves them, and the edge's image contains them. */

/** What the page takes from `swagger-ui-dist`. */
export const READER_ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** The bar at the top of the reader and of every guide: the way between them, and the search (`search.js`). */
export const documentsBar = (): string => `<header class="bar">
<a class="brand" href="/docs/guides">fundrail guides</a>
<nav aria-label="Documents"><a href="/docs">API reference</a> <a href="/docs/guides/changelog">Changelog</a></nav>
<form role="search" id="search-form"><label for="search">Search</label><input id="search" type="search" autocomplete="off"></form>
<div id="found" role="status"></div>
</header>`;

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
${documentsBar()}
<main id="reader"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
<script src="/docs/guides/search.js"></script>
</body>
</html>
`;

export const READER_START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reader', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });\n`;

/** What the page may load: the reader shows icons from data URLs, and connects only to the product. */
export const READER_POLICY =
  "script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'";
